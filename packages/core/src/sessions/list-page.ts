import { requestUrl } from "../edge/request-url.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "../ports/client-request.ts";

/** Which page of a list a client asks for. */
export interface PageRequest {
  /** 1 to 100; 20 when the client gives none. */
  readonly limit: number;
  /** The `next` of the page before; undefined for the first page. */
  readonly cursor: number | undefined;
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

const mostEntries = 100;
const usualEntries = 20;
/** As many digits as a number can have and still be exact. */
const sequence = /^[1-9]\d{0,14}$/;

/** Reads `limit` and the cursor, whose name differs between lists, from the query of a request. */
export function readPageRequest(request: ClientRequest, cursorName: "after" | "before"): PageRequest {
  const query = requestUrl(request).searchParams;
  return { limit: readLimit(query.get("limit")), cursor: readCursor(query.get(cursorName), cursorName) };
}

/** Makes a page of the entries that a store gave. */
export function listPage<Entry extends { readonly id: string }>(
  data: readonly Entry[],
  next: number | undefined,
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

function readCursor(text: string | null, name: string): number | undefined {
  if (text === null) return undefined;
  if (sequence.test(text)) return Number(text);
  throw new GatewayError("invalid_request", `\`${name}\` is no cursor of this list. Give the \`next\` of a page.`, {
    param: name,
  });
}
