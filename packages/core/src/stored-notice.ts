import { moneyKinds } from "./ports/ledger-entry.ts";
import type { Notice } from "./ports/notice-outbox.ts";
import type { SpendScope } from "./ports/spend-limit.ts";
import { readSpendColumns } from "./ports/stored-json.ts";

/** What {@link readNotice} reads of a row in a SQL store. */
export interface NoticeRow {
  text(column: string): string;
  optionalText(column: string): string | undefined;
  integer(column: string): bigint;
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice;
}

/** The members of a notice whose columns differ between the SQL stores. */
interface NoticeTimes {
  readonly account: string;
  readonly at: Date;
  readonly resetsAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

/** What every notice has. */
type NoticeCommon = Pick<Notice, "id" | "account" | "at" | "attempts" | "delivered">;

/** The types of {@link Notice}. */
export const noticeTypes = [
  "spend.threshold",
  "balance.low",
  "balance.credited",
  "balance.expiring",
  "charge.refunded",
  "account.frozen",
  "account.thawed",
] as const satisfies readonly Notice["type"][];

const scopes: readonly Exclude<SpendScope, "token">[] = ["account", "key"];

/** Reads a notice from its columns in a SQL store, and the members whose columns differ between these stores. */
export function readNotice(row: NoticeRow, { account, at, resetsAt, expiresAt }: NoticeTimes): Notice {
  const common = {
    id: row.text("id"),
    account,
    at,
    attempts: Number(row.integer("attempts")),
    delivered: readNames(row.text("delivered")),
  };
  const type = row.oneOf("type", noticeTypes);
  switch (type) {
    case "spend.threshold":
      return readThreshold(row, common, resetsAt);
    case "balance.low":
      return { ...common, type, posted: row.integer("posted"), below: row.integer("below") };
    case "balance.credited": {
      const kind = row.oneOf("money_kind", moneyKinds);
      const credited = { ...common, type, amount: row.integer("amount"), kind, reason: row.text("reason") };
      return expiresAt === undefined ? credited : { ...credited, expiresAt };
    }
    case "balance.expiring":
      return { ...common, type, amount: row.integer("amount"), expiresAt: expiresAt ?? at };
    case "charge.refunded":
      return {
        ...common,
        type,
        amount: row.integer("amount"),
        sequence: row.integer("charge"),
        reason: row.text("reason"),
      };
    case "account.frozen":
      return { ...common, type, reason: row.text("reason") };
    case "account.thawed":
      return { ...common, type };
  }
}

function readThreshold(row: NoticeRow, common: NoticeCommon, resetsAt: Date | undefined): Notice {
  const keyId = row.optionalText("key_id");
  return {
    ...common,
    type: "spend.threshold",
    scope: row.oneOf("scope", scopes),
    ...(keyId === undefined ? {} : { keyId }),
    threshold: Number(row.integer("threshold")),
    limit: readSpendColumns(row, "period", "timezone"),
    spent: row.integer("spent"),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}

const readNames = (json: string): readonly string[] => JSON.parse(json);
