import type { ApiKey } from "./key-store.ts";

/** The client that presents a key. */
export interface Client {
  /** Undefined if unknown. */
  readonly clientAddress: string | undefined;
}

/** Limits the lookups of a client for keys that were not valid within the last day. */
export interface LookUpGuard {
  /** Looks up a key by calling `find`, or rejects with a GatewayError when the client has reached its limit. */
  lookUp(client: Client, find: () => Promise<ApiKey | undefined>): Promise<ApiKey | undefined>;
  /** Throws the same GatewayError for a key that is known to be invalid, without a lookup. */
  refuseGuess(client: Client): void;
}
