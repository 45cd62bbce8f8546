import { keepCapMs, spendSubject } from "../money/hold-amount.ts";
import { spendWindowAt } from "../money/spend-window.ts";
import type { SpendRefusal } from "../ports/balance-store.ts";
import type { SpendQuery, SpendScope, SpendState } from "../ports/spend-limit.ts";

/** What was spent in one window of a limit. */
export interface SpendCounter {
  readonly scope: SpendScope;
  readonly startsAt: number;
  readonly resetsAt: number | undefined;
  /** Nano-units: the charges and pending holds. */
  spent: bigint;
  /** Nano-units: the charges alone. */
  charged: bigint;
  /** The percentages of which a notice was written. */
  readonly noticed: Set<number>;
}

/** The counters of the present windows. A hold keeps those of its own windows, so past ones need not be found. */
export class MemorySpend {
  readonly #counters = new Map<string, SpendCounter>();
  readonly #tokens = new Map<string, { readonly removeAt: number; readonly counter: SpendCounter }>();

  /** Returns the counter of the window at `now`. */
  counter(query: SpendQuery, now: number): SpendCounter {
    const { scope, limit } = query;
    if (query.scope === "token") return this.#counterOfToken(query.id, query.expiresAt);
    const name = JSON.stringify([scope, spendSubject(query), limit.window, limit.timezone ?? "UTC"]);
    const { startsAt, resetsAt } = spendWindowAt(limit, now);
    const known = this.#counters.get(name);
    if (known?.startsAt === startsAt) return known;
    const counter = { scope, startsAt, resetsAt, spent: 0n, charged: 0n, noticed: new Set<number>() };
    this.#counters.set(name, counter);
    return counter;
  }

  #counterOfToken(id: string, expiresAt: Date): SpendCounter {
    const known = this.#tokens.get(id);
    if (known !== undefined) return known.counter;
    const counter: SpendCounter = {
      scope: "token",
      startsAt: 0,
      resetsAt: undefined,
      spent: 0n,
      charged: 0n,
      noticed: new Set(),
    };
    this.#tokens.set(id, { removeAt: expiresAt.getTime() + keepCapMs, counter });
    return counter;
  }

  /** Removes the counters of tokens that expired some time ago. */
  removeExpired(now: number): void {
    for (const [id, { removeAt }] of this.#tokens) if (removeAt <= now) this.#tokens.delete(id);
  }

  /** Returns what the limits leave of an amount, at most that amount, or why they leave less than `least`. */
  left(limits: readonly SpendQuery[], amount: bigint, least: bigint, now: number): bigint | SpendRefusal {
    let left = amount;
    for (const limited of limits) {
      const state = this.state(limited, now);
      const rest = limited.limit.limit - state.spent;
      if (rest < least) return { outcome: "spend_limit", scope: limited.scope, ...state };
      if (rest < left) left = rest;
    }
    return left;
  }

  state(limited: SpendQuery, now: number): SpendState {
    const { spent, resetsAt } = this.counter(limited, now);
    return { limit: limited.limit, spent, ...(resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt) }) };
  }
}
