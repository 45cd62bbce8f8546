import { encodeUtf8, hmac } from "@tollgate/core/extension";

/** A secret as a key of HMAC. The id is derived from it, so that hosts need not name it, and tells nothing of it. */
export interface SigningKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys of tokens. */
export interface SigningKeys {
  /** The one that signs. */
  readonly current: SigningKey;
  /** All that verify, by id. */
  readonly byId: ReadonlyMap<string, SigningKey>;
}

/** Returns the keys of secrets, of which the first signs and all verify. */
export function signingKeys(first: string, ...others: readonly string[]): SigningKeys {
  const current = keyOf(first);
  return { current, byId: new Map([current, ...others.map(keyOf)].map((key) => [key.id, key])) };
}

const keyOf = (secret: string): SigningKey => ({
  id: hmac(secret, "key id of browser tokens").slice(0, 16),
  bytes: encodeUtf8(secret),
});
