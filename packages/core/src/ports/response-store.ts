import type { Awaitable } from "../runtime/awaitable.ts";

/** A stored response and the account that owns it. For a response of another account, a store behaves as for an unknown one. */
export interface ResponseRef {
  /** The id that the client got, such as `resp_...`. */
  readonly id: string;
  readonly account: string;
}

/** An input or output item. */
export interface ResponseItem {
  /** By which clients refer to the item. Unique within the input and within the output of a response, but not beyond. */
  readonly id: string;
  /** The item as JSON, including its id. Stored and returned unchanged. */
  readonly json: string;
}

/** A response to store. It expires `ttlMs` milliseconds after it was stored. */
export interface NewResponse extends ResponseRef {
  /** The response object that the client gets, as JSON. */
  readonly response: string;
  /** The items of its own request, in order, without those of the responses that it continues. */
  readonly input: readonly ResponseItem[];
  readonly output: readonly ResponseItem[];
  /** The response that it continues, which was stored before. */
  readonly previousId?: string;
  readonly ttlMs: number;
  /** The most bytes of all stored responses of the account together: `response` and the JSON of all items, in UTF-8. */
  readonly maxAccountBytes: number;
}

/** A response that was stored. */
export interface StoredResponse extends ResponseRef {
  readonly response: string;
  readonly previousId?: string;
  readonly createdAt: Date;
}

/** Whether a response was stored, or its account was full. */
export interface SaveResult {
  readonly outcome: "saved" | "full";
}

/**
 * Items in any order. `larger`: they have this many bytes, which is more than `loadBytes`. `too_long`: they have more than
 * `maxBytes`.
 */
export type ResponseItems =
  | { readonly outcome: "found"; readonly items: readonly ResponseItem[] }
  | { readonly outcome: "larger"; readonly bytes: number }
  | { readonly outcome: "too_long" };

/** The items of a conversation, oldest first. `unknown`: a response of it is unknown. */
export type ResponseConversation = ResponseItems | { readonly outcome: "unknown" };

/** Limits for the bytes of items, as JSON in UTF-8. */
export interface ItemLimits {
  /** The most bytes that a caller can use at all. */
  readonly maxBytes: number;
  /** The most bytes to read from storage and return. Above it, only the size is determined. Absent: `maxBytes`. */
  readonly loadBytes?: number;
}

/** Which input items to list. */
export interface ResponseInputPage {
  readonly limit: number;
  /** The most bytes of the items of a page, as JSON in UTF-8; a page has at least one item if there are any. Absent: no limit. */
  readonly maxBytes?: number;
  /** `asc`: in the order of the request. `desc`: the last item first. */
  readonly order: "asc" | "desc";
  /** The id of the last item of the page before. Absent: the first page. */
  readonly after?: string;
}

/** A page of input items. */
export interface ResponseInput {
  readonly items: readonly ResponseItem[];
  readonly hasMore: boolean;
}

/** One page of responses; `next` is absent on the last page. */
export interface ResponsePage {
  readonly responses: readonly StoredResponse[];
  /** The id of the last response of the page. */
  readonly next?: string;
}

/**
 * Port: stores responses of the Responses API with their items, so that clients can read and continue them.
 *
 * Each method is one atomic step for all processes that share the store, and durable when it resolves. A refusal is a
 * value. A throw is an outage, which the gateway does not retry. An expired response is unknown. All times are of the
 * store's own clock.
 */
export interface ResponseStore {
  /**
   * Stores a response with its items. `full`: the account would exceed `maxAccountBytes`, and nothing was stored. Of many
   * concurrent calls, exactly as many succeed as fit. Expired responses do not count, even before they are removed.
   * Idempotent by id: a second call with the same id and account changes nothing and is `saved`. Throws for an id of
   * another account.
   */
  save(response: NewResponse): Awaitable<SaveResult>;
  /** Returns a response; undefined if it is unknown. */
  find(ref: ResponseRef): Awaitable<StoredResponse | undefined>;
  /** Returns the input and output items of a response and of those that it continues, oldest first. */
  conversation(ref: ResponseRef, limits: ItemLimits): Awaitable<ResponseConversation>;
  /** Returns a page of the input items of one response; undefined if the response or `after` is unknown. */
  input(ref: ResponseRef, page: ResponseInputPage): Awaitable<ResponseInput | undefined>;
  /**
   * Returns the items with these ids in the stored responses of an account, in any order. Unknown ids are left out. An id
   * of several responses is returned once, from the response that was stored last.
   */
  items(account: string, ids: readonly string[], limits: ItemLimits): Awaitable<ResponseItems>;
  /** Returns responses of an account in the order of their ids, compared by bytes, after an id that need not exist. */
  list(query: { readonly account: string; readonly limit: number; readonly after?: string }): Awaitable<ResponsePage>;
  /** Removes a response with its items; false if it is unknown. Responses that continue it have no conversation afterwards. */
  delete(ref: ResponseRef): Awaitable<boolean>;
  /** Removes all responses of an account and returns how many. A large number may take several calls, of which the last returns 0. */
  forget(account: string): Awaitable<number>;
  /** Removes expired responses and returns how many. A large backlog may take several calls. */
  expire(): Awaitable<number>;
}
