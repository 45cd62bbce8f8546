import { describeError } from "../errors/describe-error.ts";
import type { BalanceStore, HoldReference } from "../ports/balance-store.ts";
import type { Limiter, Reservation } from "../ports/limiter.ts";
import type { Observer } from "../ports/observer.ts";
import type { ResponseStore } from "../ports/response-store.ts";
import { aboutMs, type RepeatedWork, removeExpired, sweepIntervalMs } from "../runtime/background.ts";
import { IndexedSet, type Listed } from "../runtime/shared-ticker.ts";
import { steadyNow, withinTime } from "../runtime/timers.ts";

/** The most batches of expired holds in one beat, so that the next renewal is not late. */
const maxSweeps = 20;

/**
 * Renews the holds of this process and expires those of crashed processes, in one beat at a time, also while no request runs. A
 * beat that fails is reported, and the next one follows sooner.
 */
export class Heartbeat implements RepeatedWork {
  readonly firstWithinMs: number;
  readonly #running: RunningHolds;
  readonly #balances: BalanceStore;
  readonly #observe: Observer;
  readonly #storeTimeoutMs: number;

  /** `periodMs` is the time between two beats, and `storeTimeoutMs` that of a call of a store, both in milliseconds. */
  constructor(
    running: RunningHolds,
    balances: BalanceStore,
    observe: Observer,
    periodMs: number,
    storeTimeoutMs: number,
  ) {
    this.#running = running;
    this.#balances = balances;
    this.#observe = observe;
    this.firstWithinMs = periodMs;
    this.#storeTimeoutMs = storeTimeoutMs;
  }

  async run(): Promise<number> {
    const renewed = await Promise.all([
      this.#attempt("renew", () => this.#running.renewHolds()),
      this.#attempt("limits", () => this.#running.renewPlaces()),
    ]);
    // After the renewal, so that a process that was suspended does not expire its own holds.
    const swept = await this.#sweep();
    const failed = !swept || renewed.includes(false);
    return aboutMs(failed ? this.firstWithinMs / 4 : this.firstWithinMs);
  }

  async #sweep(): Promise<boolean> {
    const endsAt = steadyNow() + this.firstWithinMs / 4;
    let ended = 0;
    const sweep = async () => {
      ended = await this.#balances.expire();
      if (!(ended >= 0)) throw new Error("`expire` of the balance store must return a number.");
    };
    for (let sweeps = 0; sweeps < maxSweeps && steadyNow() <= endsAt; sweeps++) {
      if (!(await this.#attempt("sweep", sweep))) return false;
      if (ended === 0) return true;
    }
    return true;
  }

  async #attempt(part: "renew" | "limits" | "sweep", act: () => Promise<void>): Promise<boolean> {
    try {
      await withinTime(act(), this.#storeTimeoutMs);
      return true;
    } catch (failure) {
      this.#observe({ type: "heartbeat.failed", at: Date.now(), part, cause: describeError(failure) });
      return false;
    }
  }
}

/** Removes expired responses about every ten minutes. */
export function responseSweep(
  store: Pick<ResponseStore, "expire">,
  observe: Observer,
  storeTimeoutMs: number,
): RepeatedWork {
  return {
    firstWithinMs: sweepIntervalMs,
    async run(goesOn) {
      try {
        await removeExpired(store, storeTimeoutMs, goesOn);
      } catch (failure) {
        observe({ type: "heartbeat.failed", at: Date.now(), part: "responses", cause: describeError(failure) });
      }
      return aboutMs(sweepIntervalMs);
    },
  };
}

/** The hold and reservation of a running request, or a hold whose settlement waits. */
export interface RunningHold extends Listed {
  /** Undefined when no money is held for it. */
  readonly hold: HoldReference | undefined;
  /** Undefined when nothing is reserved in a limit. */
  readonly reservation: Reservation | undefined;
  /** True once its end was sent, after which the store may no longer have it as pending. */
  readonly ending: boolean;
  /**
   * When its lease was last renewed, as a time of `steadyNow`; Infinity once it was reported as lost. Only
   * RunningHolds changes it.
   */
  leasedAt: number;
  /** Returns its cost so far, in nano-units. */
  used(): bigint;
}

/**
 * The holds and reservations that this process renews.
 *
 * A hold that was not renewed during its lease, and that its store no longer has as pending, expired while this process
 * or the store was suspended. It is reported as lost, and its request continues: the expiry charged what was used until
 * then, the settlement charges the rest, and the account is overdrawn by at most the hold.
 */
export class RunningHolds {
  readonly #balances: BalanceStore;
  readonly #limiter: Limiter;
  readonly #leaseMs: number;
  readonly #onLost: (holdId: string) => void;
  readonly #running = new IndexedSet<RunningHold>();

  constructor(balances: BalanceStore, limiter: Limiter, leaseMs: number, onLost: (holdId: string) => void) {
    this.#balances = balances;
    this.#limiter = limiter;
    this.#leaseMs = leaseMs;
    this.#onLost = onLost;
  }

  /** The number of holds of money. */
  get count(): number {
    return this.#running.snapshot().filter(holdsMoney).length;
  }

  add(hold: RunningHold): void {
    this.#running.add(hold);
  }

  delete(hold: RunningHold): void {
    this.#running.delete(hold);
  }

  /** Renews all holds in one call, each with its cost so far. */
  async renewHolds(): Promise<void> {
    const holds = this.#running.snapshot().filter(holdsMoney);
    if (holds.length > 0) await this.#renew(holds);
  }

  /** Renews one hold at once. Returns false if it is lost. */
  async renewHold(hold: MoneyHold): Promise<boolean> {
    await this.#renew([hold]);
    return hold.leasedAt !== Number.POSITIVE_INFINITY;
  }

  /** Renews all reservations in one call. */
  async renewPlaces(): Promise<void> {
    const places = this.#running.snapshot().flatMap(({ reservation }) => reservation ?? []);
    if (places.length > 0) await this.#limiter.renew(places);
  }

  async #renew(holds: readonly MoneyHold[]): Promise<void> {
    const askedAt = steadyNow();
    const renewals = holds.map((running) => ({
      id: running.hold.id,
      account: running.hold.account,
      used: running.used(),
    }));
    const renewed: unknown = await this.#balances.renew(renewals, this.#leaseMs);
    if (!Array.isArray(renewed)) throw new Error("`renew` of the balance store must return the ids that it renewed.");
    const ids = new Set<unknown>(renewed);
    for (const running of holds) {
      if (ids.has(running.hold.id)) running.leasedAt = askedAt;
      else this.#checkLease(running);
    }
  }

  #checkLease(running: MoneyHold): void {
    // `ending` is read after the answer, since the hold may have ended meanwhile. A store may also skip a hold that
    // another statement has locked, and its lease continues.
    if (running.ending || steadyNow() - running.leasedAt < this.#leaseMs) return;
    running.leasedAt = Number.POSITIVE_INFINITY;
    this.#onLost(running.hold.id);
  }
}

type MoneyHold = RunningHold & { readonly hold: HoldReference };

const holdsMoney = (running: RunningHold): running is MoneyHold => running.hold !== undefined;
