import { nextOf, readSessionRow, type TextRow } from "@tollgate/core/internal";
import type { ChatMessage } from "@tollgate/core/provider";
import {
  checkedWholeNumber,
  type LogPage,
  type MessagePage,
  readClientData,
  readLog,
  type Session,
  type SessionAdmin,
  type SessionOverview,
  type SessionPage,
  type SessionRef,
  type SessionStore,
  type StoredLog,
  type StoredMessage,
} from "@tollgate/core/store";
import type { Database } from "./database.ts";
import {
  listSessionsStatement,
  logsStatement,
  messagesStatement,
  sessionOverviewStatement,
} from "./statements/session-pages.ts";
import { isStorableText } from "./storable-values.ts";

/** Reads one page of the messages of a session. */
export async function readMessages(
  database: Database,
  ref: SessionRef,
  { limit, maxBytes, after = 0 }: Parameters<SessionStore["messages"]>[1],
): Promise<MessagePage | undefined> {
  const values = [checkedWholeNumber("after", after, 0), checkedWholeNumber("limit", limit, 1) + 1, maxBytes ?? null];
  const rows = await database.runFor(messagesStatement, ref, values);
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
  const rows = await database.runFor(logsStatement, ref, values);
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
  return { sessions, ...nextOf(sessions, foundIn(rows), ({ createdAt, id }) => ({ createdAt, id })) };
}

/** Reads a session of any account. */
export async function readOverview(database: Database, id: string): Promise<SessionOverview | undefined> {
  if (!isStorableText(id)) return undefined;
  const [row] = await database.run(sessionOverviewStatement, [id]);
  return row && { ...toSession(row), turns: Number(row.text("turns")), expiresAt: row.time("expires_at") };
}

/**
 * How many rows the statement found. It looks for one row more than the limit, which shows whether there is another
 * page.
 */
const foundIn = (rows: readonly TextRow[]): number => Number(rows[0]?.optionalText("found") ?? 0);

/** Reads a page. The statement returns one row of NULLs for a session without items. */
function pageOf<Item extends { readonly sequence: number }>(
  rows: readonly TextRow[],
  limit: number,
  read: (row: TextRow) => Item,
): { readonly items: readonly Item[]; readonly next: { readonly next?: number } } {
  const filled = rows.filter((row) => row.optionalText("sequence") !== undefined);
  const items = filled.slice(0, limit).map(read);
  return { items, next: nextOf(items, foundIn(rows), ({ sequence }) => sequence) };
}

function toStoredMessage(row: TextRow): StoredMessage {
  const message: ChatMessage = JSON.parse(row.text("message"));
  return { sequence: Number(row.text("sequence")), at: row.time("at"), message };
}

function toStoredLog(row: TextRow): StoredLog {
  return { sequence: Number(row.text("sequence")), log: readLog(row.text("log")) };
}

/** Reads a session from its columns. */
export const toSession = (row: TextRow): Session =>
  readSessionRow(row, row.text("account_id"), readClientData(row.text("client_data")));
