import { columns, sumOfRows } from "./usage-attempt-tables.ts";

/** The name and the rows of each dimension. A row with several tags counts in each. */
const dimensions = {
  model: ["coalesce(model, '')", "tollgate_usage"],
  key: ["key_id", "tollgate_usage"],
  dialect: ["dialect", "tollgate_usage"],
  tag: [
    "tag.value",
    `tollgate_usage JOIN json_each(iif(tags = '[]', '[""]', tags)) AS tag
       ON tag.key = coalesce((SELECT min(same.key) FROM json_each(tags) AS same WHERE same.value = tag.value), 0)`,
  ],
} as const;

const fillTotals = (dimension: keyof typeof dimensions): string => `
  INSERT INTO tollgate_usage_account_total (account, kind, start, name, ${columns.join(", ")}, refused)
  SELECT account, '${dimension} day', at - at % 86400000, ${dimensions[dimension][0]},
         ${columns.map(sumOfRows).join(", ")}, sum(status BETWEEN 400 AND 499)
  FROM ${dimensions[dimension][1]} GROUP BY 1, 3, 4;
`;

/**
 * The migration that adds totals of the models, keys, dialects and tags of each account, filled from the rows that exist, and the order in
 * which the newest request of an account with an id is found.
 */
export const usageAccountTables = `
  DROP INDEX tollgate_usage_request;
  CREATE INDEX tollgate_usage_request ON tollgate_usage (request_id, account, at, id);
  DROP INDEX tollgate_usage_answer;
  CREATE INDEX tollgate_usage_answer ON tollgate_usage (answer_id, account, at, id) WHERE answer_id IS NOT NULL;

  CREATE TABLE tollgate_usage_account_total (
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    start INTEGER NOT NULL,
    name TEXT NOT NULL,
    ${columns.map((column) => `${column} INTEGER NOT NULL`).join(",\n    ")},
    refused INTEGER NOT NULL,
    PRIMARY KEY (account, kind, start, name)
  ) STRICT, WITHOUT ROWID;
  ${(["model", "key", "dialect", "tag"] as const).map(fillTotals).join("")}
`;
