import { type Notice, readNotice } from "@tollgate/core/store";
import type { Row } from "./row.ts";

/** Converts a row of the outbox. */
export const toNotice = (row: Row): Notice =>
  readNotice(row, { account: row.text("account_id"), at: row.date("at"), resetsAt: row.optionalDate("resets_at") });
