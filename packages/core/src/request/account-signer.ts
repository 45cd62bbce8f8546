import { LRUCache } from "lru-cache";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { atMost } from "../runtime/at-most.ts";
import type { MemberChange } from "../wire/edits.ts";
import { clientIds } from "../wire/end-user.ts";
import { hmac } from "../wire/hmac.ts";
import { isText, type JsonObject } from "../wire/json.ts";

const none: readonly MemberChange[] = [];
const sealed = /^tg2-([0-9a-f]{32})-(.*)$/s;

/** The ids that were signed last, by key, account and id, since clients send the same ones again and again. */
const signedIds = new LRUCache<string, string>(atMost(10_000));

/** A longer id, in UTF-16 code units, is signed each time, so that the cache stays small. */
const longestCached = 256;

/**
 * Signs for one account what goes to upstreams and comes back. The key is the first of the gateway's secrets, or without any
 * the secret of the provider, so that all processes agree.
 */
export class AccountSigner {
  readonly #secrets: readonly string[];
  readonly #account: string;

  /** The first secret signs, and all verify. */
  constructor(secrets: readonly string[], account: string) {
    this.#secrets = secrets;
    this.#account = account;
  }

  /**
   * Returns the changes that put 32 hexadecimal digits in place of each id that the client chose, so that accounts share no
   * cache at the upstream and no limit on the length is met.
   */
  idChanges(request: JsonObject, provider: ProviderAdapter): readonly MemberChange[] {
    let changes = none;
    for (const name of clientIds) {
      const id = request[name];
      if (!isText(id)) continue;
      const change = { name, value: this.#signId(id, provider) };
      // There is rarely more than one, and a spread reserves memory for sixteen more.
      changes = changes === none ? [change] : [...changes, change];
    }
    return changes;
  }

  /** Returns encrypted content of a provider as clients get it. Only this account can send it back, and only to that provider. */
  seal(content: string, provider: ProviderAdapter): string {
    return `tg2-${this.#signContent(this.#keyOf(provider), content, provider)}-${content}`;
  }

  /** Returns the content that {@link seal} has sealed, or undefined for any other. */
  unseal(content: string, provider: ProviderAdapter): string | undefined {
    const [, signature, inside = ""] = sealed.exec(content) ?? [];
    if (signature === undefined) return undefined;
    const keys = this.#secrets.length > 0 ? this.#secrets : [this.#keyOf(provider)];
    const isValid = keys.some((key) => this.#signContent(key, inside, provider) === signature);
    return isValid ? inside : undefined;
  }

  #signId(id: string, provider: ProviderAdapter): string {
    const key = this.#keyOf(provider);
    const parts = [this.#account, id];
    if (id.length > longestCached) return this.#sign(key, parts);
    const name = JSON.stringify([key, ...parts]);
    const known = signedIds.get(name);
    if (known !== undefined) return known;
    const signed = this.#sign(key, parts);
    signedIds.set(name, signed);
    return signed;
  }

  #signContent(key: string, content: string, { name }: ProviderAdapter): string {
    return this.#sign(key, [this.#account, name, content]);
  }

  #sign(key: string, parts: readonly string[]): string {
    return hmac(key, JSON.stringify(parts)).slice(0, 32);
  }

  #keyOf(provider: ProviderAdapter): string {
    return this.#secrets[0] ?? provider.secret?.() ?? provider.name;
  }
}
