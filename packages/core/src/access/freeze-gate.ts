import { LRUCache } from "lru-cache";
import type { BalanceStore, Freeze } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import { atMost } from "../runtime/at-most.ts";
import { type Awaitable, isPromiseLike } from "../runtime/awaitable.ts";

const cachedMs = 30_000;

/**
 * Finds the accounts that are frozen, for requests that place no hold. It caches an answer for 30 seconds, and forgets it when
 * the account is frozen or thawed through the same store.
 */
export class FreezeGate {
  readonly #balances: BalanceStore;
  readonly #timeoutMs: number;
  readonly #known = new LRUCache<string, { readonly frozen: Freeze | undefined }>(atMost(100_000, cachedMs));
  #changes = 0;

  constructor(balances: BalanceStore, timeoutMs: number) {
    this.#balances = balances;
    this.#timeoutMs = timeoutMs;
    balances.onFreeze((account) => {
      this.#changes++;
      this.#known.delete(account);
    });
  }

  /** Returns why an account is frozen, synchronously from the cache. Throws or rejects with 503 for an outage. */
  find(account: string): Awaitable<Freeze | undefined> {
    const known = this.#known.get(account);
    return known === undefined ? this.#ask(account) : known.frozen;
  }

  #ask(account: string): Awaitable<Freeze | undefined> {
    const changes = this.#changes;
    const remember = ({ frozen }: { readonly frozen?: Freeze }): Freeze | undefined => {
      // An answer that a change has overtaken is used once.
      if (changes === this.#changes) this.#known.set(account, { frozen });
      return frozen;
    };
    const answer = callStoreWithTimeout(
      this.#timeoutMs,
      () => this.#balances.balance(account),
      (balance) => typeof balance?.posted === "bigint",
    );
    return isPromiseLike(answer) ? answer.then(remember) : remember(answer);
  }
}
