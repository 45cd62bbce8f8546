import { requestUrl } from "../../edge/request-url.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { ClientRequest } from "../../ports/client-request.ts";
import type { PageSize } from "../../ports/session-store.ts";

/** Which page of a list a client asks for. */
export interface PageRequest<Cursor> {
  /** How much of it; 1 to 100 entries, 20 when the client gives none. */
  readonly size: Required<PageSize>;
  /** The `next` of the page before; undefined for the first page. */
  readonly cursor: Cursor | undefined;
}

/**
 * A page of a list. `object`, `data`, `first_id`, `last_id` and `has_more` are those of OpenAI's lists
 * (https://platform.openai.com/docs/api-reference/chat/list); `next` is the cursor of the next page, null on the last.
 */
export interface ListPage<Entry> {
  readonly object: "list";
  readonly data: readonly Entry[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
  readonly next: string | null;
}

/** A page has at most 4 MiB, of which the members that are not in the store have a share. */
const maxBytes = 4_194_304 - 65_536;
const mostEntries = 100;
const usualEntries = 20;
/** As many digits as a number can have and still be exact. */
const sequence = /^[1-9]\d{0,14}$/;

/** Reads `limit` and the cursor, whose name and form differ between lists, from the query of a request. */
export function readPageRequest<Cursor>(
  request: ClientRequest,
  name: "after" | "before",
  toCursor: (text: string) => Cursor | undefined,
): PageRequest<Cursor> {
  const query = requestUrl(request).searchParams;
  const text = query.get(name);
  const cursor = text === null ? undefined : toCursor(text);
  if (text !== null && cursor === undefined) throw invalidCursor(name);
  return { size: { limit: readLimit(query.get("limit")), maxBytes }, cursor };
}

/** The cursor of a list whose entries are numbered in their session; undefined when the text is not one. */
export const toSequence = (text: string): number | undefined => (sequence.test(text) ? Number(text) : undefined);

/** Makes a page of the entries that a store gave. */
export function listPage<Entry extends { readonly id: string }>(
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
  if (text === null) return usualEntries;
  const limit = Number(text);
  if (sequence.test(text) && limit <= mostEntries) return limit;
  throw new GatewayError("invalid_request", `\`limit\` must be a whole number from 1 to ${mostEntries}.`, {
    param: "limit",
  });
}

const invalidCursor = (name: string): GatewayError =>
  new GatewayError("invalid_request", `\`${name}\` is not a cursor of this list. Use the \`next\` value of a page.`, {
    param: name,
  });
