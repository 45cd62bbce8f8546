import type { BalanceStore } from "../ports/balance-store.ts";
import type { Limiter, Reservation } from "../ports/limiter.ts";
import { IndexedSet, type Listed } from "../runtime/indexed-set.ts";

/** What a running request keeps alive, or a hold whose settlement waits. */
export interface RunningHold extends Listed {
  /** Undefined when no money is held for it. */
  readonly holdId: string | undefined;
  /** Undefined when it has no place in a limit. */
  readonly reservation: Reservation | undefined;
  /** Its end is on its way, so that the store need not know it as pending any more. */
  readonly ending: boolean;
  /**
   * When its lease last began, as far as is known here, in milliseconds since the Unix epoch; Infinity once it was told
   * as lost. RunningHolds keeps it.
   */
  leasedAt: number;
  /** What it has cost so far, in nano-units. */
  used(): bigint;
}

/**
 * The holds and places that this process keeps alive.
 *
 * A hold that was not renewed for the time of a lease, and that its store no longer has as pending, ended while this
 * process or the store stood still. The host is told, and its request runs on: what was used by then is charged, the settlement will charge the rest, and
 * the account can be overdrawn by no more than what was held. Ending the stream would punish its client for our delay.
 */
export class RunningHolds {
  readonly #balances: BalanceStore;
  readonly #limiter: Limiter;
  readonly #leaseMs: number;
  readonly #lost: (holdId: string) => void;
  readonly #running = new IndexedSet<RunningHold>();

  constructor(balances: BalanceStore, limiter: Limiter, leaseMs: number, lost: (holdId: string) => void) {
    this.#balances = balances;
    this.#limiter = limiter;
    this.#leaseMs = leaseMs;
    this.#lost = lost;
  }

  add(hold: RunningHold): void {
    this.#running.add(hold);
  }

  delete(hold: RunningHold): void {
    this.#running.delete(hold);
  }

  /** Renews all holds in one call, each with what it has used so far. */
  async renewHolds(): Promise<void> {
    const holds = this.#running.snapshot().filter(holdsMoney);
    if (holds.length === 0) return;
    const askedAt = Date.now();
    const renewals = holds.map((hold) => ({ id: hold.holdId, used: hold.used() }));
    const renewed: unknown = await this.#balances.renew(renewals, this.#leaseMs);
    if (!Array.isArray(renewed)) throw new Error("`renew` of the balance store must give the ids that it renewed.");
    const ids = new Set<unknown>(renewed);
    for (const hold of holds) {
      if (ids.has(hold.holdId)) hold.leasedAt = askedAt;
      else this.#miss(hold);
    }
  }

  /** Renews all places in limits in one call. */
  async renewPlaces(): Promise<void> {
    const places = this.#running.snapshot().flatMap(({ reservation }) => reservation ?? []);
    if (places.length > 0) await this.#limiter.renew(places);
  }

  #miss(hold: RunningHold & { readonly holdId: string }): void {
    // Looked at only now: it may have been ended while the store answered. A store may also pass over a hold that
    // another statement of ours has locked; its lease then still runs.
    if (hold.ending || Date.now() - hold.leasedAt < this.#leaseMs) return;
    hold.leasedAt = Number.POSITIVE_INFINITY;
    this.#lost(hold.holdId);
  }
}

const holdsMoney = (hold: RunningHold): hold is RunningHold & { readonly holdId: string } => hold.holdId !== undefined;
