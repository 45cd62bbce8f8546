import { memoryBalanceStore, memoryLimiter } from "@tollgate/core";
import type { BalanceStore, Limiter } from "@tollgate/core/store";
import { closedGate } from "./gate.ts";

/**
 * A host that freezes like a serverless function: after the response has been read and the promises passed to
 * `waitUntil` have settled, no store can be reached. Its stores delay every settlement until `open` is called.
 */
export class FreezingHost {
  readonly ledger = memoryBalanceStore();
  readonly limits = memoryLimiter();
  readonly #gate = closedGate();
  readonly #work: Promise<unknown>[] = [];
  #frozen = false;
  /** The number of hold settlements that fail before one succeeds. */
  failures = 0;

  /** The platform's function of this name. */
  readonly waitUntil = (work: Promise<unknown>): void => {
    this.#work.push(work);
  };

  readonly balances = this.#delayed<BalanceStore>(this.ledger, ["settle", "release"]);
  readonly limiter = this.#delayed<Limiter>(this.limits, ["settle"], false);

  /** Lets the delayed settlements run. */
  open(): void {
    this.#gate.open();
  }

  /** Waits for all promises passed to `waitUntil`, including those added meanwhile, and freezes. */
  async freeze(): Promise<void> {
    for (let done = 0; done < this.#work.length; done++) await this.#work[done];
    this.#frozen = true;
  }

  /** The number of promises passed to `waitUntil`. */
  get given(): number {
    return this.#work.length;
  }

  #delayed<Port extends object>(port: Port, methods: readonly string[], mayFail = true): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]): unknown => {
          const call = () => member.apply(target, given);
          return methods.includes(String(name))
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
