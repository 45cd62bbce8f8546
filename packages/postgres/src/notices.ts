import type { Notice } from "@tollgate/core/store";
import type { Row } from "./row.ts";

/** Converts a row of the outbox. */
export function toNotice(row: Row): Notice {
  const common = {
    id: row.text("id"),
    account: row.text("account_id"),
    at: row.date("at"),
    attempts: Number(row.integer("attempts")),
    delivered: readNames(row.text("delivered")),
  };
  const type = row.oneOf("type", ["spend.threshold", "balance.low"]);
  if (type === "balance.low") {
    return { ...common, type, available: row.integer("available"), below: row.integer("below") };
  }
  const [keyId, timezone] = [row.optionalText("key_id"), row.optionalText("timezone")];
  const resetsAt = row.optionalDate("resets_at");
  const window = row.oneOf("period", ["day", "week", "month", "total"]);
  return {
    ...common,
    type,
    scope: row.oneOf("scope", ["account", "key"]),
    ...(keyId === undefined ? {} : { keyId }),
    threshold: Number(row.integer("threshold")),
    limit: { limit: row.integer("spend_limit"), window, ...(timezone === undefined ? {} : { timezone }) },
    spent: row.integer("spent"),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}

const readNames = (json: string): readonly string[] => JSON.parse(json);
