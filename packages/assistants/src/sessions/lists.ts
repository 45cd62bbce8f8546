import { GatewayError } from "@tollgate/core";
import { type AdmittedRequest, callStoreWithTimeout, type GatewayResponse } from "@tollgate/core/extension";
import type { PageSize, SessionPosition, StoredMessage } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { sessionNotFound, sessionRef } from "./find-session.ts";
import { isSession, sessionRecord } from "./session-record.ts";

/** GET /session: returns a page of the sessions of the key's account, newest first. */
export async function listSessions(services: AssistantServices, request: AdmittedRequest): Promise<GatewayResponse> {
  const { size, cursor } = readPageRequest(request.url, "before", toPosition);
  const page = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.list(request.account, cursor === undefined ? size : { ...size, before: cursor }),
    (result) => Array.isArray(result?.sessions) && result.sessions.every(isSession),
  );
  return request.respond(200, listPage(page.sessions.map(sessionRecord), page.next && toCursor(page.next)));
}

/** The time in milliseconds, and the id, since several sessions may be created in the same millisecond. */
const cursorSyntax = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const toCursor = ({ createdAt, id }: SessionPosition): string => `${createdAt.getTime()}_${id}`;

function toPosition(text: string): SessionPosition | undefined {
  const [, time, id] = cursorSyntax.exec(text) ?? [];
  return id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
}

/** GET /session/{id}/messages: returns a page of the session's messages, oldest first. */
export async function listMessages(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  const ref = sessionRef(request, id);
  const { size, cursor } = readPageRequest(request.url, "after", toSequence);
  const page = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.messages(ref, cursor === undefined ? size : { ...size, after: cursor }),
    (result) => result === undefined || Array.isArray(result?.messages),
  );
  if (page === undefined) throw sessionNotFound();
  return request.respond(200, listPage(page.messages.map(toEntry), page.next));
}

/** Returns the message in the format of chat completions, with its sequence number as `id`. */
function toEntry({ sequence, at, message }: StoredMessage) {
  return { ...message, id: String(sequence), created_at: at.toISOString() };
}

/** GET /session/{id}/logs: returns a page of the session's webhook calls, newest first. */
export async function listLogs(
  services: AssistantServices,
  request: AdmittedRequest,
  id: string,
): Promise<GatewayResponse> {
  const ref = sessionRef(request, id);
  const { size, cursor } = readPageRequest(request.url, "before", toSequence);
  const page = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.sessions.logs(ref, cursor === undefined ? size : { ...size, before: cursor }),
    (result) => result === undefined || Array.isArray(result?.logs),
  );
  if (page === undefined) throw sessionNotFound();
  const logs = page.logs.map(({ log }) => log);
  return request.respond(200, listPage(logs, page.next));
}

/** The page of a list that a client requests. */
interface PageRequest<Cursor> {
  /** 1 to 100 entries; 20 by default. */
  readonly size: Required<PageSize>;
  /** The `next` of the previous page; undefined for the first page. */
  readonly cursor: Cursor | undefined;
}

/**
 * A page of a list. `object`, `data`, `first_id`, `last_id` and `has_more` follow OpenAI's lists
 * (https://platform.openai.com/docs/api-reference/chat/list). `next` is the cursor of the next page, null on the last.
 */
interface ListPage<Entry> {
  readonly object: "list";
  readonly data: readonly Entry[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
  readonly next: string | null;
}

/** A page has at most 4 MiB, including the members that the gateway adds to stored entries. */
const maxBytes = 4_194_304 - 65_536;
const maxEntries = 100;
const defaultEntries = 20;
/** At most 15 digits, which a number represents exactly. */
const sequence = /^[1-9]\d{0,14}$/;

/** Parses `limit` and the cursor from the query of a URL. The name and format of the cursor depend on the list. */
function readPageRequest<Cursor>(
  { searchParams }: URL,
  name: "after" | "before",
  toCursor: (text: string) => Cursor | undefined,
): PageRequest<Cursor> {
  const text = searchParams.get(name);
  const cursor = text === null ? undefined : toCursor(text);
  if (text !== null && cursor === undefined) throw invalidCursor(name);
  return { size: { limit: readLimit(searchParams.get("limit")), maxBytes }, cursor };
}

/** Parses the cursor of a list with sequence numbers; undefined when the text is not one. */
const toSequence = (text: string): number | undefined => (sequence.test(text) ? Number(text) : undefined);

/** Returns a page with the entries of a store. */
function listPage<Entry extends { readonly id: string }>(
  data: readonly Entry[],
  next: number | string | undefined,
): ListPage<Entry> {
  return {
    object: "list",
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: next !== undefined,
    next: next === undefined ? null : String(next),
  };
}

function readLimit(text: string | null): number {
  if (text === null) return defaultEntries;
  const limit = Number(text);
  if (sequence.test(text) && limit <= maxEntries) return limit;
  throw new GatewayError("invalid_request", `\`limit\` must be a whole number from 1 to ${maxEntries}.`, {
    param: "limit",
  });
}

const invalidCursor = (name: string): GatewayError =>
  new GatewayError("invalid_request", `\`${name}\` is not a cursor of this list. Use the \`next\` value of a page.`, {
    param: name,
  });
