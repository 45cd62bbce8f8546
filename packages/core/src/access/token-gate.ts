import type { TokenGrant, TokenReader } from "../ports/access-token.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { KeyCache } from "./key-cache.ts";

/** Reads the tokens that an extension accepts, and finds their parent keys. Without such an extension, no text is a token. */
export class TokenGate {
  readonly #keys: KeyStore;
  readonly #timeoutMs: number;
  #reader: TokenReader | undefined;
  #parents: KeyCache | undefined;

  constructor(keys: KeyStore, timeoutMs: number) {
    this.#keys = keys;
    this.#timeoutMs = timeoutMs;
  }

  /** Accepts tokens from now on. Throws a TypeError if another extension does so already. */
  accept(reader: TokenReader): void {
    if (this.#reader !== undefined) {
      throw new TypeError("Two extensions accept tokens, but a gateway can have one. Remove one of `extensions`.");
    }
    this.#reader = reader;
    // The ids come from tokens that were signed here, so no client can guess any.
    const open = {
      lookUp: (_: unknown, ask: () => Promise<ApiKey | undefined>) => ask(),
      refuseGuess: () => undefined,
    };
    const get = (id: string) => this.#keys.get(id);
    const byId = { find: get, get, onChange: this.#keys.onChange.bind(this.#keys) };
    this.#parents = new KeyCache(byId, this.#timeoutMs, open);
  }

  /** True for a text with the form of a token. */
  matches(presented: string): boolean {
    return this.#reader?.matches(presented) === true;
  }

  /** Verifies a token. Throws or rejects with 401 or 403. */
  read(presented: string, request: Pick<ClientRequest, "header">): Promise<TokenGrant> {
    if (this.#reader === undefined) throw new Error("No extension accepts tokens.");
    return this.#reader.read(presented, request);
  }

  /** Returns the parent key with an id. Throws or rejects with 503 for an outage. */
  parent(keyId: string): Awaitable<ApiKey | undefined> {
    return this.#parents?.find(keyId, { clientAddress: undefined });
  }
}
