import type { BalanceStore } from "@tollgate/core/store";
import { checkedSliceOptions, type SliceOptions } from "./slice-options.ts";
import { Slices } from "./slices.ts";

/** Balances whose requests are held in slices, and what ends the slices. */
export interface SlicedBalances<Balances> {
  readonly balances: Balances;
  /** Settles all slices. Rejects if the store is unavailable; a second call tries again. */
  close(): Promise<void>;
}

/** Returns balances that hold requests in slices of the given ones, with which they share every other member. */
export function sliceBalances<Balances extends BalanceStore>(
  balances: Balances,
  options: SliceOptions,
): SlicedBalances<Balances> {
  const slices = new Slices(balances, checkedSliceOptions(options));
  const own = new Map<PropertyKey, unknown>([
    ["hold", slices.hold.bind(slices)],
    ["renew", slices.renew.bind(slices)],
    ["settle", slices.settle.bind(slices)],
    ["release", slices.release.bind(slices)],
  ]);
  const get = (target: Balances, name: PropertyKey): unknown => {
    const member: unknown = own.get(name) ?? Reflect.get(target, name);
    return typeof member === "function" && !own.has(name) ? member.bind(target) : member;
  };
  return { balances: new Proxy(balances, { get }), close: () => slices.close() };
}
