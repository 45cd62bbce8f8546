import type { Awaitable } from "@tollgate/core/internal";
import type { Allowance, BalanceStore, Entry } from "@tollgate/core/store";
import fc from "fast-check";
import { chargeReceipt, plainHold } from "../../packages/core/test-support/receipts.ts";

/** When the steps begin: half a minute before a day and a month end. */
export const start: number = Date.UTC(2026, 0, 31, 23, 59, 30);

/** One step for one of few holds, postings and entries, so that steps repeat and conflict. */
export interface Step {
  readonly verb: "credit" | "lot" | "debit" | "hold" | "renew" | "settle" | "release" | "refund" | "expire" | "pass";
  /** The number of the hold, posting or entry. */
  readonly at: number;
  readonly amount: bigint;
  readonly seconds: number;
  readonly flag: boolean;
}

/** Steps that reach every effect of lots. */
export const lotSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    verb: fc.constantFrom(
      ...(["credit", "lot", "lot", "debit", "hold", "hold", "hold", "settle", "settle", "settle"] as const),
      ...(["renew", "release", "refund", "refund", "expire", "pass"] as const),
    ),
    at: fc.nat(7),
    amount: fc.bigInt(1n, 60n),
    seconds: fc.constantFrom(-1, 0, 5, 20, 60, 700_000),
    flag: fc.boolean(),
  }),
  { minLength: 10, maxLength: 50 },
);

const monthly: Allowance = { amount: 25n, window: "month" };
const daily: Allowance = { amount: 10n, window: "day", timezone: "Asia/Tokyo" };

/** Takes a step in a store. Different runs use different accounts, keys and ids. */
export function takeStep(
  store: BalanceStore,
  run: string,
  { verb, at, amount, seconds, flag }: Step,
): Awaitable<unknown> {
  const account = `account ${run}`;
  const posting = { id: `posting ${at} ${run}`, account, amount, reason: "x" };
  const hold = { id: `hold ${at} ${run}`, account };
  switch (verb) {
    case "credit":
      return store.credit(posting);
    case "lot": {
      const kind = flag ? "granted" : "paid";
      return store.credit({ ...posting, id: `lot ${at} ${seconds} ${run}`, kind, ...expiry(seconds) });
    }
    case "debit":
      return store.debit({ ...posting, id: `debit ${at} ${run}`, ...(flag ? { from: "paid" } : {}) });
    case "hold":
      return store.hold({
        ...plainHold,
        ...hold,
        keyId: `key ${run}`,
        amount,
        // No two leases end at the same time, when a sweep may end them in any order.
        leaseMs: Math.max(1, seconds) * 1_000 - at,
        ...(flag ? { allowance: at % 2 === 0 ? monthly : daily } : {}),
        ...(at % 3 === 0 ? { flexible: { least: 1n, floor: amount } } : {}),
      });
    case "renew":
      return store.renew([{ ...hold, used: amount }], 5_000 - at);
    case "settle":
      return store.settle(hold, amount, chargeReceipt);
    case "release":
      return store.release(hold);
    case "refund":
      return refundAt(store, account, at, flag ? { amount } : {});
    case "expire":
      return store.expire();
    case "pass":
      return store.balance(account, flag ? monthly : undefined);
  }
}

/** A date that passes while the steps run, or none. */
const expiry = (seconds: number) => (seconds === 0 ? {} : { expiresAt: new Date(start + seconds * 1_000) });

async function refundAt(store: BalanceStore, account: string, at: number, amount: { readonly amount?: bigint }) {
  const { entries } = await store.entries({ account, limit: 100 });
  return store.refund({ account, sequence: entries[at]?.sequence ?? 1n, reason: "x", ...amount });
}

/** Reads what the steps of a run have left, with the places of entries instead of their sequence numbers. */
export async function stateOf(store: BalanceStore, run: string) {
  const account = `account ${run}`;
  const { entries } = await store.entries({ account, limit: 1_000 });
  const places = new Map(entries.map(({ sequence }, place) => [String(sequence), place]));
  return {
    balance: await store.balance(account),
    entries: entries.map((entry) => withoutPlace(entry, places)),
    used: await store.usedBy(`key ${run}`),
  };
}

/** A lapse has the time of the call that found it, and sequence numbers may have gaps: a store chooses both. */
function withoutPlace({ at: _at, sequence: _sequence, ...entry }: Entry, places: ReadonlyMap<string, number>) {
  const { kind, reference, lots } = entry;
  const placed = (lot: string) =>
    lot.replace(/^(late|refund):(\d+)$/, (_, by, charge) => `${by}:${places.get(charge)}`);
  return {
    ...entry,
    reference: kind === "refund" ? places.get(reference) : placed(reference),
    ...(lots === undefined ? {} : { lots: lots.map(({ lot, ...share }) => ({ ...share, lot: placed(lot) })) }),
  };
}
