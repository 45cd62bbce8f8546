import { GatewayError } from "../errors/gateway-error.ts";
import type { RunningHold } from "../money/heartbeat.ts";
import { formatAmount } from "../options/decimal.ts";
import { requireArgument } from "../options/problems.ts";
import type { HoldReference } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Services } from "../request/services.ts";
import { after, steadyNow } from "../runtime/timers.ts";
import { costSchema, extensionSchema, type HoldExtension } from "./host-charge.ts";

/**
 * A hold of the host. The heartbeat renews it until it ends or its time has passed, after which it expires with its lease. It
 * can still be settled then, late.
 */
export class OpenCharge implements RunningHold {
  position = -1;
  leasedAt = steadyNow();
  readonly reservation = undefined;
  readonly hold: HoldReference;
  /** What is held, in nano-units. */
  readonly amount: bigint;
  readonly #services: Services;
  readonly #keepMs: number;
  #used = 0n;
  /** Called when it no longer counts as running; undefined after that. */
  #leave: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  /** What it cost, undefined if it was released, and when the store has taken that. */
  #end: { readonly cost: bigint | undefined; readonly taken: Promise<void> } | undefined;

  constructor(
    services: Services,
    hold: HoldReference & { readonly amount: bigint; readonly keepMs: number },
    leave: () => void,
  ) {
    this.#services = services;
    this.hold = hold;
    this.amount = hold.amount;
    this.#keepMs = hold.keepMs;
    this.#leave = leave;
    this.#keep(hold.keepMs);
  }

  get ending(): boolean {
    return this.#end !== undefined;
  }

  used(): bigint {
    return this.#used;
  }

  /** See `ChargeHandle`. */
  async settle(wanted: bigint | string): Promise<void> {
    const cost = this.#atMostHeld("cost", requireArgument(costSchema, wanted, "cost"));
    this.#end ??= { cost, taken: this.#settle(cost) };
    if (this.#end.cost !== cost) throw this.#conflict();
    return this.#end.taken;
  }

  /** See `ChargeHandle`. */
  async release(): Promise<void> {
    if (this.#end !== undefined) return;
    this.#end = { cost: undefined, taken: this.#release() };
    return this.#end.taken;
  }

  /** See `ChargeHandle`. */
  async extend(wanted: HoldExtension = {}): Promise<void> {
    const { used = this.#used, keepMs = this.#keepMs } = requireArgument(extensionSchema, wanted);
    this.#atMostHeld("used", used);
    if (this.#end !== undefined) throw this.#conflict();
    if (used > this.#used) this.#used = used;
    this.#keep(keepMs);
    const { storeTimeoutMs, runningHolds } = this.#services;
    const isPending = await callStoreWithTimeout(
      storeTimeoutMs,
      () => runningHolds.renewHold(this),
      (renewed) => typeof renewed === "boolean",
    );
    if (isPending) return;
    this.#stopKeeping();
    throw this.#conflict();
  }

  #keep(milliseconds: number): void {
    this.#leave ??= this.#services.inFlight.enterCharge();
    this.#stopRenewing();
    this.#services.runningHolds.add(this);
    this.#cancelTimer = after(milliseconds, () => this.#stopKeeping());
  }

  #stopKeeping(): void {
    this.#stopRenewing();
    this.#leave?.();
    this.#leave = undefined;
  }

  #stopRenewing(): void {
    this.#cancelTimer?.();
    this.#services.runningHolds.delete(this);
  }

  async #settle(cost: bigint): Promise<void> {
    this.#stopRenewing();
    const result = await this.#services.settlements.settle(this.hold, cost, undefined);
    this.#stopKeeping();
    if (result?.outcome === "conflict" || result?.outcome === "unknown") throw this.#conflict();
  }

  async #release(): Promise<void> {
    this.#stopRenewing();
    await this.#services.settlements.release(this.hold, undefined);
    this.#stopKeeping();
  }

  #atMostHeld(name: string, amount: bigint): bigint {
    if (amount <= this.amount) return amount;
    throw new RangeError(
      `\`${name}\` is ${formatAmount(amount)}, but only ${formatAmount(this.amount)} is held. Give at most that, and charge the rest with \`gateway.charges.charge\`.`,
    );
  }

  #conflict(): GatewayError {
    return new GatewayError(
      "conflict",
      `The charge ${this.hold.id} has ended already. Look up what was charged by this reference in the ledger, or make another charge.`,
    );
  }
}
