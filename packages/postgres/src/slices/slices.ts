import type { Awaitable } from "@tollgate/core/internal";
import {
  type BalanceStore,
  type ChargeReceipt,
  checkedAmount,
  checkHoldAmounts,
  type EndResult,
  emptyBalance,
  type HoldReference,
  type HoldRequest,
  type HoldResult,
  type Renewal,
} from "@tollgate/core/store";
import { Recent } from "../recent.ts";
import { type EndedHold, repeatedEnd, repeatedHold } from "./ended-holds.ts";
import { Slice, type SlicedHold } from "./slice.ts";
import type { SliceOptions } from "./slice-options.ts";

/** The methods of a store that slices call. */
export type SlicedStore = Pick<BalanceStore, "hold" | "renew" | "settle" | "release" | "onFreeze">;

/** How long a slice admits requests at most, and so how long a key that was revoked elsewhere may still spend. */
const sliceMs = 15_000;
const retryMs = 1_000;
const rememberedEnds = 1_000;

/**
 * Holds the requests of busy keys in slices, in memory, and all others in the store. A slice is settled when it has been open for 15 s,
 * or when a request does not fit any more and half of it is used, so that a killed process loses no more than one slice and
 * no more than 15 s of what was used by each name of a slice.
 */
export class Slices {
  readonly #store: SlicedStore;
  readonly #amount: bigint;
  readonly #above: bigint;
  /** By name. A slice is here from the request for it until it is settled, so that there is at most one of a name. */
  readonly #slices = new Map<string, Slice>();
  readonly #running = new Map<string, SlicedHold>();
  /** The last requests that ended in slices, so that a repeated call is recognized. */
  readonly #ended = new Recent<EndedHold>(rememberedEnds);
  /** The names of the last 15 s without a slice. */
  readonly #recent = new Map<string, RecentName>();
  #purgedAt = 0;
  readonly #stopListening: () => void;
  #isClosed = false;

  constructor(store: SlicedStore, { amount, above }: Readonly<Record<keyof SliceOptions, bigint>>) {
    this.#store = store;
    this.#amount = amount;
    this.#above = above;
    this.#stopListening = store.onFreeze((account) => void this.#endAll(this.#slicesOf(account)));
  }

  /** Returns at once if the request fits in a slice. */
  hold(request: HoldRequest): Awaitable<HoldResult> {
    checkHoldAmounts(request);
    const { id } = request;
    const running = this.#running.get(id);
    const ended = this.#ended.get(id);
    const before = running?.request ?? ended?.request;
    if (before !== undefined) return repeatedHold(before, ended, request, heldIn(running?.slice, before.amount));
    const name = sliceName(request);
    const slice = name === undefined ? undefined : this.#slices.get(name);
    const held = slice?.hold(request);
    if (held === undefined) return this.#holdInStore(request, name, slice);
    this.#running.set(id, held);
    return heldIn(slice, request.amount);
  }

  settle(hold: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): Awaitable<EndResult> {
    checkedAmount(amount, 0n);
    return this.#end(hold, amount, receipt) ?? this.#store.settle(hold, amount, receipt);
  }

  release(hold: HoldReference): Awaitable<EndResult> {
    return this.#end(hold, undefined, undefined) ?? this.#store.release(hold);
  }

  /**
   * Renews the holds of the store, and the slices with requests that could not be moved. A request in any other slice counts as
   * renewed, since that slice is settled long before its lease ends.
   */
  async renew(renewals: readonly Renewal[], leaseMs: number): Promise<readonly string[]> {
    const sliced = renewals.flatMap((renewal) => this.#report(renewal) ?? []);
    const ids = new Set(sliced.map(({ request }) => request.id));
    const moved = [...this.#slices.values()].filter(({ isMoved }) => isMoved);
    const asked = [...renewals.filter(({ id }) => !ids.has(id)), ...moved.map((slice) => slice.renewal())];
    const renewed = new Set(asked.length === 0 ? [] : await this.#store.renew(asked, leaseMs));
    for (const { request, slice } of sliced) if (!slice.isMoved || renewed.has(slice.id)) renewed.add(request.id);
    for (const { id } of moved) renewed.delete(id);
    return [...renewed];
  }

  /**
   * Settles all slices, and takes no more. Requests that run get holds of their own. Rejects if the store is unavailable; a second
   * call tries again.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    const slices = [...this.#slices.values()];
    await this.#endAll(slices);
    await Promise.all(slices.map((slice) => this.#settle(slice)));
    const left = slices.filter(({ name, running }) => running.size === 0 && this.#slices.has(name)).length;
    if (left === 0) return;
    throw new Error(
      `${left} slices of balances could not be settled. Make the database available and call \`close\` again: what their requests have cost is charged only then.`,
    );
  }

  /** Ends a request that is held in a slice. Returns undefined for any other. */
  #end(
    { id, account }: HoldReference,
    cost: bigint | undefined,
    receipt: ChargeReceipt | undefined,
  ): EndResult | undefined {
    const ended = this.#ended.get(id);
    if (ended !== undefined && ended.request.account === account) return repeatedEnd(ended, cost);
    const held = this.#running.get(id);
    if (held === undefined || held.request.account !== account) return undefined;
    const { slice, request } = held;
    this.#running.delete(id);
    this.#ended.set(id, { request, cost });
    slice.charge(held, cost ?? 0n, receipt);
    if (slice.isMoved) void this.#settle(slice);
    return { outcome: "ended" };
  }

  /** Notes what a request has cost so far. Returns undefined for one that is not held in a slice. */
  #report({ id, account, used }: Renewal): SlicedHold | undefined {
    const held = this.#running.get(id);
    if (held === undefined || held.request.account !== account) return undefined;
    if (checkedAmount(used, 0n) > held.used) held.used = used;
    return held;
  }

  async #holdInStore(request: HoldRequest, name: string | undefined, slice: Slice | undefined): Promise<HoldResult> {
    if (slice?.isHalfUsed) void this.#endSlice(slice);
    const result = await this.#store.hold(request);
    if (result.outcome === "held" && name !== undefined) this.#consider(request, name, result.balance.available);
    if (result.outcome !== "insufficient" && result.outcome !== "spend_limit") return result;
    const slices = this.#slicesOf(request.account);
    if (slices.length === 0) return result;
    // What the slices of this process have left is available again, and may suffice.
    await this.#endAll(slices);
    return this.#store.hold(request);
  }

  /** Takes a slice at the second request of a name within 15 s, if the account can spare it. */
  #consider(request: HoldRequest, name: string, available: bigint): void {
    const recent = this.#recall(name);
    if (recent === undefined) this.#remember(name, true);
    const canSpare = request.amount <= this.#amount && available >= this.#above + this.#amount;
    if (recent?.mayTake !== true || !canSpare || this.#isClosed || this.#slices.has(name)) return;
    const slice = new Slice(request.account, name);
    this.#slices.set(name, slice);
    slice.taken = this.#take(slice, request);
  }

  #remember(name: string, mayTake: boolean): void {
    this.#recent.set(name, { mayTake, until: Date.now() + sliceMs });
  }

  #recall(name: string): RecentName | undefined {
    const now = Date.now();
    if (now >= this.#purgedAt + sliceMs) {
      for (const [each, { until }] of this.#recent) if (until <= now) this.#recent.delete(each);
      this.#purgedAt = now;
    }
    const recent = this.#recent.get(name);
    return recent !== undefined && now < recent.until ? recent : undefined;
  }

  async #take(slice: Slice, request: HoldRequest): Promise<void> {
    const { id, account, name } = slice;
    const least = request.amount;
    const receipt = { ...request.receipt, requestId: id };
    try {
      const result = await this.#store.hold({
        ...request,
        id,
        amount: this.#amount,
        flexible: { least, floor: least },
        receipt,
      });
      if (result.outcome === "held") {
        // Long before its lease ends, also where the host has chosen a short one.
        const openMs = Math.min(sliceMs, request.leaseMs / 4);
        slice.open(result.amount, result.balance, Date.now() + openMs);
        // Keeps the process alive, so that one that ends without `close` still charges it.
        slice.timer = setTimeout(() => void this.#endSlice(slice), openMs);
        return;
      }
    } catch {
      // The store may have held it.
      void this.#releaseLater({ id, account });
    }
    this.#slices.delete(name);
    this.#remember(name, false);
  }

  /** Ends a slice: moves its running requests to holds of their own, and charges what the others have cost. */
  #endSlice(slice: Slice): Promise<void> {
    slice.ending ??= this.#moveAndSettle(slice);
    return slice.ending;
  }

  async #endAll(slices: readonly Slice[]): Promise<void> {
    await Promise.all(slices.map((slice) => this.#endSlice(slice)));
  }

  async #moveAndSettle(slice: Slice): Promise<void> {
    await slice.taken;
    clearTimeout(slice.timer);
    if (slice.balance === undefined) return;
    await Promise.all([...slice.running].map((held) => this.#move(held)));
    slice.isMoved = true;
    await this.#settle(slice);
  }

  /** Moves a request to a hold of its own. If the store refuses that, the request remains in its slice. */
  async #move(held: SlicedHold): Promise<void> {
    const { request, slice } = held;
    const { id, account, leaseMs } = request;
    try {
      const result = await this.#store.hold({ ...request, flexible: undefined });
      if (result.outcome !== "held") return;
    } catch {
      return this.#releaseLater({ id, account });
    }
    // It may have ended in its slice meanwhile.
    if (!slice.running.has(held)) return this.#releaseLater({ id, account });
    slice.remove(held);
    this.#running.delete(id);
    if (held.used > 0n) await this.#try(() => this.#store.renew([{ id, account, used: held.used }], leaseMs));
  }

  /** Charges a slice once no request runs in it. Repeated until the store takes it, which may be after its expiry. */
  async #settle(slice: Slice): Promise<void> {
    const { id, account, name, used } = slice;
    if (slice.running.size > 0 || this.#slices.get(name) !== slice) return;
    const isSettled = await this.#try(() => this.#store.settle({ id, account }, used, slice.receipt()));
    clearTimeout(slice.timer);
    if (isSettled) {
      this.#slices.delete(name);
      // It was busy, so that its next request takes another one.
      this.#remember(name, true);
    } else slice.timer = setTimeout(() => void this.#settle(slice), retryMs).unref();
  }

  /** Releases a hold that may exist and has cost nothing. If that fails, it expires with its lease. */
  async #releaseLater(hold: HoldReference): Promise<void> {
    await this.#try(() => this.#store.release(hold));
  }

  async #try(call: () => Awaitable<unknown>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch {
      return false;
    }
  }

  #slicesOf(account: string): Slice[] {
    return [...this.#slices.values()].filter((slice) => slice.account === account);
  }
}

/** A name by which a request came, and whether the next one may take a slice: not if the store has refused that. */
interface RecentName {
  readonly mayTake: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

/**
 * The name under which requests share a slice: their entries have the same account, key, model and API. Undefined for a charge of the
 * host, and for a token with a cap of its own.
 */
function sliceName({ account, keyId, receipt, spend }: HoldRequest): string | undefined {
  const { model, dialect } = receipt;
  if (model === undefined || keyId === undefined || spend.token !== undefined) return undefined;
  return `${account}${separator}${keyId}${separator}${model}${separator}${dialect}`;
}

/** A control character, which no one writes in an id. */
const separator = "\u001f";

/** The result for a request that a slice holds. The balance is that of the account when the slice was taken. */
const heldIn = (slice: Slice | undefined, amount: bigint): HoldResult => ({
  outcome: "held",
  balance: slice?.balance ?? emptyBalance,
  amount,
});
