import type { UsageDimension, UsageFilter } from "@tollgate/core/store";
import type { Condition } from "./filtered-query.ts";
import { searchable } from "./parameters.ts";

/** The expression for the value of a dimension; "" for rows without one. That of a tag needs {@link tagsOfRow}. */
export const dimensionSql: Readonly<Record<UsageDimension, string>> = {
  model: "coalesce(model, '')",
  account: "account",
  key: "key_id",
  target: "coalesce(provider || '/' || upstream_model, '')",
  dialect: "dialect",
  status: "CAST(status AS TEXT)",
  end_user: "coalesce(end_user, '')",
  tag: "tag.value",
};

/** Joins each row to its tags, each once; to "" if it has none. */
export const tagsOfRow = {
  table: `json_each(iif(tags = '[]', '[""]', tags)) AS tag`,
  condition: {
    sql: "tag.key = coalesce((SELECT min(same.key) FROM json_each(tags) AS same WHERE same.value = tag.value), 0)",
    values: [],
  },
} as const;

/** The conditions of a filter. */
export interface FilterConditions {
  /** The condition whose rows an index has in the order of `at` and `id`. Always true without one. */
  readonly indexed: Condition;
  /** True for a condition that few rows meet, so that they need no steps. */
  readonly isLookup: boolean;
  /** The conditions that each row is checked for. */
  readonly others: readonly Condition[];
}

/** Qualified, since the tags of a row have ids too. */
const id = "tollgate_usage.id";
const lookups = [id, "request_id", "answer_id"];
/** The lookups whose index has the requests of each account in the order of `at` and `id`. */
const lookupsOfAccount = ["request_id", "answer_id"];
const ordered = ["key_id", "account"];

/** Returns the conditions of a filter. */
export function filterConditions(filter: UsageFilter = {}): FilterConditions {
  const columns: Readonly<Record<string, string | undefined>> = {
    [id]: filter.id,
    request_id: filter.requestId,
    answer_id: filter.answerId,
    key_id: filter.key,
    account: filter.account,
    model: filter.model,
    "provider || '/' || upstream_model": filter.target,
    dialect: filter.dialect,
    session_id: filter.session,
    end_user: filter.endUser,
  };
  const first = [...lookups, ...ordered].find((column) => columns[column] !== undefined);
  const isOne = (sql: string, value: string): Condition => ({ sql: `${sql} = ?`, values: [searchable(value)] });
  const indexed = Object.entries(columns).filter(
    ([name]) => name === first || (name === "account" && lookupsOfAccount.includes(first ?? "")),
  );
  const isOther = (name: string) => indexed.every(([each]) => each !== name);
  return {
    indexed: allOf(indexed.flatMap(([name, value]) => (value === undefined ? [] : [isOne(name, value)]))),
    isLookup: first !== undefined && lookups.includes(first),
    others: [
      // The plus keeps the planner from another index, with which a step would read more rows.
      ...Object.entries(columns).flatMap(([name, value]) =>
        value !== undefined && isOther(name) ? [isOne(`+${name}`, value)] : [],
      ),
      ...(filter.tag === undefined
        ? []
        : [{ sql: "EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", values: [searchable(filter.tag)] }]),
      ...(filter.status === undefined ? [] : [{ sql: "status = ?", values: [filter.status] }]),
      ...outcomeConditions(filter),
    ],
  };
}

/** The column `failed` counts refused requests too. */
function outcomeConditions({ failed = false, refused = false }: UsageFilter): readonly Condition[] {
  if (!failed && !refused) return [];
  const refusal = "status BETWEEN 400 AND 499";
  return [
    { sql: failed && refused ? "failed = 1" : refused ? refusal : `failed = 1 AND NOT (${refusal})`, values: [] },
  ];
}

/** Joins conditions to one. */
export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: ["TRUE", ...conditions.map(({ sql }) => sql)].join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}
