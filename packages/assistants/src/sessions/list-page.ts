import { GatewayError } from "@tollgate/core";
import type { PageSize } from "@tollgate/core/store";

/** The page of a list that a client requests. */
export interface PageRequest<Cursor> {
  /** 1 to 100 entries; 20 by default. */
  readonly size: Required<PageSize>;
  /** The `next` of the previous page; undefined for the first page. */
  readonly cursor: Cursor | undefined;
}

/**
 * A page of a list. `object`, `data`, `first_id`, `last_id` and `has_more` follow OpenAI's lists
 * (https://platform.openai.com/docs/api-reference/chat/list). `next` is the cursor of the next page, null on the last.
 */
export interface ListPage<Entry> {
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
export function readPageRequest<Cursor>(
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
export const toSequence = (text: string): number | undefined => (sequence.test(text) ? Number(text) : undefined);

/** Returns a page with the entries of a store. */
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
