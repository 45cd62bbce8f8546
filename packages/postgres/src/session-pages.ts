import type {
  ChatMessage,
  LogPage,
  MessagePage,
  SessionRef,
  SessionStore,
  StoredLog,
  StoredMessage,
} from "@tollgate/core";
import { checkedWholeNumber, readLog } from "@tollgate/core/stores";
import type { Database } from "./database.ts";
import type { Row } from "./row.ts";
import { runForSession } from "./session-row.ts";
import { logsStatement, messagesStatement } from "./statements/session-pages.ts";

/** One page of the messages of a session. */
export async function readMessages(
  database: Database,
  ref: SessionRef,
  { limit, after = 0 }: Parameters<SessionStore["messages"]>[1],
): Promise<MessagePage | undefined> {
  const values = [checkedWholeNumber("after", after, 0), checkedWholeNumber("limit", limit, 1) + 1];
  const rows = await runForSession(database, messagesStatement, ref, values);
  if (rows.length === 0) return undefined;
  const { items, next } = pageOf(rows, limit, toStoredMessage);
  return { messages: items, ...next };
}

/** One page of the logs of a session. */
export async function readLogs(
  database: Database,
  ref: SessionRef,
  { limit, before }: Parameters<SessionStore["logs"]>[1],
): Promise<LogPage | undefined> {
  const bound = before === undefined ? null : checkedWholeNumber("before", before, 0);
  const rows = await runForSession(database, logsStatement, ref, [bound, checkedWholeNumber("limit", limit, 1) + 1]);
  if (rows.length === 0) return undefined;
  const { items, next } = pageOf(rows, limit, toStoredLog);
  return { logs: items, ...next };
}

/** Of one row more than is asked for, which tells whether there is another page. A session with nothing has an empty row. */
function pageOf<Item extends { readonly sequence: number }>(
  rows: readonly Row[],
  limit: number,
  read: (row: Row) => Item,
): { readonly items: readonly Item[]; readonly next: { readonly next?: number } } {
  const filled = rows.filter((row) => row.optionalText("sequence") !== undefined);
  const items = filled.slice(0, limit).map(read);
  const last = items.at(-1);
  return { items, next: filled.length > limit && last !== undefined ? { next: last.sequence } : {} };
}

function toStoredMessage(row: Row): StoredMessage {
  const message: ChatMessage = JSON.parse(row.text("message"));
  return { sequence: Number(row.text("sequence")), at: row.date("at"), message };
}

function toStoredLog(row: Row): StoredLog {
  return { sequence: Number(row.text("sequence")), log: readLog(row.text("log")) };
}
