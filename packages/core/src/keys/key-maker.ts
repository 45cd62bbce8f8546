import { checkedLimits } from "../ports/check-limits.ts";
import type { IssuedKey, NewKey } from "../ports/key-admin.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { checkedPepper, digestKey } from "./digest.ts";
import { checkedPrefix, generateKey, readKey } from "./key-format.ts";

/** How the keys of a store are made and kept. */
export interface KeyFormatOptions {
  /** What every key begins with; "tg" when absent. */
  readonly prefix?: string;
  /** A secret of the host, kept outside the store: without it a stolen store cannot even be searched for a known key. */
  readonly pepper?: string;
}

/** A key just made, with what a store keeps of it in the place of its secret. */
export interface GeneratedKey extends IssuedKey {
  /** 64 hex digits. */
  readonly digest: string;
}

/** Makes the keys of a store and recognises their form; options that cannot be throw a RangeError. */
export class KeyMaker {
  readonly #prefix: string;
  readonly #pepper: string | undefined;

  constructor(options: KeyFormatOptions = {}) {
    this.#prefix = checkedPrefix(options.prefix ?? "tg");
    this.#pepper = checkedPepper(options.pepper);
  }

  /** The digest under which a presented key is kept; undefined for what cannot be a key of this store. */
  digestOf(presented: string): Awaitable<string> | undefined {
    return readKey(presented, this.#prefix) === undefined ? undefined : digestKey(presented, this.#pepper);
  }

  /**
   * A new key, not yet kept anywhere; `rotatedFrom` is the id of the key that it replaces. Limits that cannot be throw
   * a RangeError, since every request of the key would fail.
   */
  async make(wanted: NewKey, rotatedFrom?: string): Promise<GeneratedKey> {
    const secret = generateKey(this.#prefix);
    const key: ApiKey = {
      ...copyWanted(wanted),
      id: crypto.randomUUID(),
      lastFour: secret.slice(-4),
      createdAt: new Date(),
      ...(rotatedFrom === undefined ? {} : { rotatedFrom }),
    };
    return { key, secret, digest: await digestKey(secret, this.#pepper) };
  }
}

function copyWanted({ account, plan, name, models, features, limits, expiresAt }: NewKey): NewKey {
  // Named one by one: a rotated key must not inherit the dates and the origin of the old one.
  return structuredClone({
    account,
    plan,
    ...(name === undefined ? {} : { name }),
    ...(models === undefined ? {} : { models }),
    ...(features === undefined ? {} : { features }),
    ...(limits === undefined ? {} : { limits: checkedLimits(limits) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
}
