import type { ChatMessage } from "@tollgate/core/provider";
import type {
  LogPage,
  MessagePage,
  SessionAdmin,
  SessionOverview,
  SessionPage,
  SessionRef,
  SessionStore,
  StoredLog,
  StoredMessage,
} from "@tollgate/core/store";
import { checkedWholeNumber, readLog } from "@tollgate/core/store";
import type { Database } from "./database.ts";
import type { Row } from "./row.ts";
import { runForSession, toSession } from "./session-row.ts";
import {
  listSessionsStatement,
  logsStatement,
  messagesStatement,
  sessionOverviewStatement,
} from "./statements/session-pages.ts";
import { isStorableText } from "./text.ts";

/** Reads one page of the messages of a session. */
export async function readMessages(
  database: Database,
  ref: SessionRef,
  { limit, maxBytes, after = 0 }: Parameters<SessionStore["messages"]>[1],
): Promise<MessagePage | undefined> {
  const values = [checkedWholeNumber("after", after, 0), checkedWholeNumber("limit", limit, 1) + 1, maxBytes ?? null];
  const rows = await runForSession(database, messagesStatement, ref, values);
  if (rows.length === 0) return undefined;
  const { items, next } = pageOf(rows, limit, toStoredMessage);
  return { messages: items, ...next };
}

/** Reads one page of the logs of a session. */
export async function readLogs(
  database: Database,
  ref: SessionRef,
  { limit, maxBytes, before }: Parameters<SessionStore["logs"]>[1],
): Promise<LogPage | undefined> {
  const bound = before === undefined ? null : checkedWholeNumber("before", before, 0);
  const values = [bound, checkedWholeNumber("limit", limit, 1) + 1, maxBytes ?? null];
  const rows = await runForSession(database, logsStatement, ref, values);
  if (rows.length === 0) return undefined;
  const { items, next } = pageOf(rows, limit, toStoredLog);
  return { logs: items, ...next };
}

/** Reads one page of the sessions of an account, of an assistant, or of all. */
export async function readSessions(
  database: Database,
  { account, assistantId, limit, maxBytes, before }: Parameters<SessionAdmin["listSessions"]>[0],
): Promise<SessionPage> {
  // Names and ids that PostgreSQL cannot store have no sessions.
  if (![account, assistantId, before?.id].every((text = "") => isStorableText(text))) return { sessions: [] };
  const from = before === undefined ? [null, null] : [String(before.createdAt.getTime()), before.id];
  const values = [account, ...from, checkedWholeNumber("limit", limit, 1) + 1, maxBytes ?? null, assistantId];
  const rows = await database.run(listSessionsStatement, values);
  const sessions = rows.slice(0, limit).map(toSession);
  const last = sessions.at(-1);
  if (foundIn(rows) <= sessions.length || last === undefined) return { sessions };
  return { sessions, next: { createdAt: last.createdAt, id: last.id } };
}

/** Reads a session of any account. */
export async function readOverview(database: Database, id: string): Promise<SessionOverview | undefined> {
  if (!isStorableText(id)) return undefined;
  const [row] = await database.run(sessionOverviewStatement, [id]);
  return row && { ...toSession(row), turns: Number(row.text("turns")), expiresAt: row.date("expires_at") };
}

/**
 * How many rows the statement found. It looks for one row more than the limit, which shows whether there is another
 * page.
 */
const foundIn = (rows: readonly Row[]): number => Number(rows[0]?.optionalText("found") ?? 0);

/** Reads a page. The statement returns one row of NULLs for a session without items. */
function pageOf<Item extends { readonly sequence: number }>(
  rows: readonly Row[],
  limit: number,
  read: (row: Row) => Item,
): { readonly items: readonly Item[]; readonly next: { readonly next?: number } } {
  const filled = rows.filter((row) => row.optionalText("sequence") !== undefined);
  const items = filled.slice(0, limit).map(read);
  const last = items.at(-1);
  return { items, next: foundIn(rows) > items.length && last !== undefined ? { next: last.sequence } : {} };
}

function toStoredMessage(row: Row): StoredMessage {
  const message: ChatMessage = JSON.parse(row.text("message"));
  return { sequence: Number(row.text("sequence")), at: row.date("at"), message };
}

function toStoredLog(row: Row): StoredLog {
  return { sequence: Number(row.text("sequence")), log: readLog(row.text("log")) };
}
