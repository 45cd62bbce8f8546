import type { Awaitable } from "../runtime/awaitable.ts";

/** A stored response and the account that owns it. A response of another account is unknown. */
export interface ResponseRef {
  /** The id that the client got, such as `resp_...`. */
  readonly id: string;
  readonly account: string;
}

/** An input or output item, with its id, by which clients refer to it. */
export interface ResponseItem {
  readonly id: string;
  /** The item as JSON, with its id. */
  readonly json: string;
}

/** A response to store. It expires `ttlMs` milliseconds after it was stored. */
export interface NewResponse extends ResponseRef {
  /** The response object that the client gets, as JSON. */
  readonly response: string;
  /** The items of its own request, in order, without those of earlier responses. */
  readonly input: readonly ResponseItem[];
  readonly output: readonly ResponseItem[];
  /** The response that it continues. */
  readonly previousId?: string;
  readonly ttlMs: number;
  /** The most bytes of all stored responses of the account together, as JSON in UTF-8. */
  readonly maxAccountBytes: number;
}

/** A response that was stored. */
export interface StoredResponse extends ResponseRef {
  readonly response: string;
  readonly previousId?: string;
  readonly createdAt: Date;
}

/** The items of a conversation, oldest first; or why there are none: a response of it is unknown, or they exceed the limit. */
export type ResponseConversation =
  | { readonly outcome: "found"; readonly items: readonly ResponseItem[] }
  | { readonly outcome: "unknown" | "too_long" };

/** Which input items to list. `after` is the id of the last item of the page before. */
export interface ResponseInputPage {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly after?: string;
}

/**
 * Port: stores responses of the Responses API, so that clients can read and continue them.
 *
 * Each method is one atomic step for all processes that share the store, and durable when it resolves. A refusal is a
 * value. A throw is an outage, which the gateway answers with 503 and does not retry. An expired response is unknown. All
 * times are of the store's own clock.
 */
export interface ResponseStore {
  /**
   * Stores a response with its items. `full`: the account would exceed `maxAccountBytes`, and nothing was stored. Of many
   * concurrent calls, exactly as many succeed as fit. Expired responses do not count. Idempotent by id: a second call with
   * the same id and account changes nothing. Throws for an id of another account.
   */
  save(response: NewResponse): Awaitable<{ readonly outcome: "saved" | "full" }>;
  find(ref: ResponseRef): Awaitable<StoredResponse | undefined>;
  /**
   * Returns the input and output items of a response and of those that it continues, oldest first. `too_long`: they have
   * more than `maxBytes` bytes as JSON in UTF-8; no more than that is read from storage.
   */
  conversation(ref: ResponseRef, limits: { readonly maxBytes: number }): Awaitable<ResponseConversation>;
  /** Returns the input items of one response, and whether there are more; undefined if the response or `after` is unknown. */
  input(
    ref: ResponseRef,
    page: ResponseInputPage,
  ): Awaitable<{ readonly items: readonly ResponseItem[]; readonly hasMore: boolean } | undefined>;
  /** Returns the items with these ids in the stored responses of an account. Unknown ids are left out; the order does not matter. */
  items(account: string, ids: readonly string[]): Awaitable<readonly ResponseItem[]>;
  /** Removes a response with its items; false if it is unknown. Responses that continue it have no conversation afterwards. */
  delete(ref: ResponseRef): Awaitable<boolean>;
  /** Removes expired responses and returns how many. A large backlog may take several calls. */
  expire(): Awaitable<number>;
}
