import { memoryBalanceStore, memoryLimiter } from "@tollgate/core";
import type { BalanceStore, Limiter } from "@tollgate/core/store";
import { closedGate } from "./gate.ts";

/**
 * A host that freezes once a response has been read and the work that it was given is done, as serverless functions do:
 * from then on no store is reached any more. Its stores take every settlement late, when `open` says so.
 */
export class FreezingHost {
  readonly ledger = memoryBalanceStore();
  readonly limits = memoryLimiter();
  readonly #gate = closedGate();
  readonly #work: Promise<unknown>[] = [];
  #frozen = false;
  /** Settlements of holds that fail before one is taken. */
  failures = 0;

  /** What the platform calls by this name. */
  readonly waitUntil = (work: Promise<unknown>): void => {
    this.#work.push(work);
  };

  readonly balances = this.#late<BalanceStore>(this.ledger, ["settle", "release"]);
  readonly limiter = this.#late<Limiter>(this.limits, ["settle"], false);

  /** Lets settlements through that waited until now. */
  open(): void {
    this.#gate.open();
  }

  /** Waits for all work that was given, also for what came meanwhile, and stands still. */
  async freeze(): Promise<void> {
    for (let done = 0; done < this.#work.length; done++) await this.#work[done];
    this.#frozen = true;
  }

  /** How many promises were given. */
  get given(): number {
    return this.#work.length;
  }

  #late<Port extends object>(port: Port, verbs: readonly string[], mayFail = true): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]): unknown => {
          const call = () => member.apply(target, given);
          return verbs.includes(String(name))
            ? this.#settle(call, mayFail)
            : this.#frozen
              ? new Promise(() => undefined)
              : call();
        };
      },
    });
  }

  async #settle(call: () => unknown, mayFail: boolean): Promise<unknown> {
    await this.#gate.opened;
    if (this.#frozen) return new Promise(() => undefined);
    if (mayFail && this.failures-- > 0) throw new Error("connection lost");
    return call();
  }
}
