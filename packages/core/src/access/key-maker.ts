import { checkedNewKey } from "../ports/check-arguments.ts";
import type { IssuedKey, KeyChanges, NewKey } from "../ports/key-admin.ts";
import type { ApiKey } from "../ports/key-store.ts";
import { checkedSpendLimit } from "../ports/limits-schema.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { hmac } from "../wire/hmac.ts";
import { digestKey } from "./key-cache.ts";
import { checkedPrefix, generateKey, readKey } from "./key-format.ts";
import { presentMembers } from "./key-members.ts";
import { successorOf } from "./rotation.ts";

/** The format of the keys of a store. */
export interface KeyFormatOptions {
  /** The first characters of every key; "tg" when absent. */
  readonly prefix?: string;
  /** A secret kept outside the store. Without it, a stolen store cannot be searched for a known key. */
  readonly pepper?: string;
}

/** A new key and the digest that a store keeps instead of its secret. */
export interface GeneratedKey extends IssuedKey {
  /** 64 hex digits. */
  readonly digest: string;
}

/** Generates the keys of a store and computes their digests. Throws a RangeError for invalid options. */
export class KeyMaker {
  readonly #prefix: string;
  readonly #pepper: string | undefined;

  constructor(options: KeyFormatOptions = {}) {
    this.#prefix = checkedPrefix(options.prefix ?? "tg");
    this.#pepper = checkedPepper(options.pepper);
  }

  /** Returns the digest of a presented key, or undefined if its format is not that of this store. */
  digestOf(presented: string): Awaitable<string> | undefined {
    return readKey(presented, this.#prefix) === undefined ? undefined : storedDigest(presented, this.#pepper);
  }

  /**
   * Generates a key without storing it; `replaced` is the key that it replaces. Rejects with a RangeError
   * for a new key with invalid or unknown members. The members of a key that is replaced are not checked.
   */
  async make(wanted: NewKey, replaced?: ApiKey): Promise<GeneratedKey> {
    const members = copyMembers(replaced === undefined ? checkedNewKey(wanted) : wanted);
    const { id, secret, lastFour, digest } = await this.generate();
    const chain = replaced === undefined ? {} : successorOf(replaced);
    return { key: { ...members, id, lastFour, createdAt: new Date(), ...chain }, secret, digest };
  }

  /** Generates the id and the secret of a key, for a store that copies the members of another one in a statement. */
  async generate(): Promise<Pick<ApiKey, "id" | "lastFour"> & Pick<GeneratedKey, "secret" | "digest">> {
    const secret = generateKey(this.#prefix);
    const digest = await storedDigest(secret, this.#pepper);
    return { id: crypto.randomUUID(), secret, lastFour: secret.slice(-4), digest };
  }
}

function copyMembers({ account, plan, ...members }: Pick<NewKey, "account" | "plan"> & KeyChanges) {
  const spend = members.spend && checkedSpendLimit(members.spend);
  // A rotated key does not inherit the dates and `rotatedFrom` of the old one.
  return structuredClone({ account, plan, ...presentMembers({ ...members, spend }) });
}

/**
 * Returns the digest that a store keeps instead of a key: SHA-256 in hex, a promise on runtimes other than Node,
 * or HMAC-SHA-256 with a pepper. Throws a RangeError for an empty pepper, which would keep nothing secret.
 */
export function storedDigest(text: string, pepper: string | undefined): Awaitable<string> {
  const secret = checkedPepper(pepper);
  return secret === undefined ? digestKey(text) : hmac(secret, text);
}

/** Returns the pepper, or undefined where there is none. Throws a RangeError for an empty one. */
function checkedPepper(pepper: string | undefined): string | undefined {
  if (pepper !== "") return pepper;
  throw new RangeError(
    "The pepper of API keys is empty. Give a secret of at least 32 random characters, or leave it out.",
  );
}
