import type { ClientRequest } from "./client-request.ts";
import type { ApiKey, KeyScope } from "./key-store.ts";

/**
 * What a token stands for: a part of the rights of its parent key, for a time. Plan, limits, terms and spend are those of the
 * key, for all of its tokens together.
 */
export interface TokenGrant {
  /** Identifies the token in the counter of its spend cap. */
  readonly id: string;
  /** The id of the parent key. */
  readonly keyId: string;
  readonly expiresAt: Date;
  /** What the token may do, of what its key may. */
  readonly scopes: readonly KeyScope[];
  /** The id of the only session that the token may use, in lower case, and nothing else. Undefined: it may use no session. */
  readonly session: string | undefined;
  /** Public model ids that the token may use, of those that its key may. Undefined: all of these. */
  readonly models: readonly string[] | undefined;
  /** The end user of its requests, in place of the one that a client names. Undefined: as the client names it. */
  readonly endUser: string | undefined;
  /** The most that the token may spend in its life, in nano-units. Undefined: as much as its key. */
  readonly spendCap: bigint | undefined;
}

/** Port: reads the tokens that clients present in place of keys. */
export interface TokenReader {
  /** True for a text with the form of a token, which is then never looked up as a key. Called for every request. */
  matches(presented: string): boolean;
  /**
   * Verifies a token and that the request may use it. Rejects with a GatewayError: 401 for a token that is invalid or has
   * expired, 403 for a request from elsewhere. The errors do not contain the token.
   */
  read(presented: string, request: Pick<ClientRequest, "header">): Promise<TokenGrant>;
}

/** The parent keys of tokens, cached as keys are. */
export interface TokenParents {
  /** Returns a key and whether its plan bills it; undefined for an unknown id. Rejects with 503 for an outage. */
  find(keyId: string): Promise<{ readonly key: ApiKey; readonly billing: "prepaid" | "none" } | undefined>;
}
