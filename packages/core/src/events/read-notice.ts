import type { Notice } from "../ports/notice-outbox.ts";
import { type SpendScope, spendWindows } from "../ports/spend-limit.ts";

/** What {@link readNotice} reads of a row in a SQL store. */
export interface NoticeRow {
  text(column: string): string;
  optionalText(column: string): string | undefined;
  integer(column: string): bigint;
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice;
}

const scopes: readonly SpendScope[] = ["account", "key"];

/** Reads a notice from its columns in a SQL store, and the members whose columns differ between these stores. */
export function readNotice(
  row: NoticeRow,
  { account, at, resetsAt }: { readonly account: string; readonly at: Date; readonly resetsAt: Date | undefined },
): Notice {
  const common = {
    id: row.text("id"),
    account,
    at,
    attempts: Number(row.integer("attempts")),
    delivered: readNames(row.text("delivered")),
  };
  const type = row.oneOf("type", ["spend.threshold", "balance.low"]);
  if (type === "balance.low") {
    return { ...common, type, posted: row.integer("posted"), below: row.integer("below") };
  }
  const [keyId, timezone] = [row.optionalText("key_id"), row.optionalText("timezone")];
  const window = row.oneOf("period", spendWindows);
  return {
    ...common,
    type,
    scope: row.oneOf("scope", scopes),
    ...(keyId === undefined ? {} : { keyId }),
    threshold: Number(row.integer("threshold")),
    limit: { limit: row.integer("spend_limit"), window, ...(timezone === undefined ? {} : { timezone }) },
    spent: row.integer("spent"),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}

const readNames = (json: string): readonly string[] => JSON.parse(json);
