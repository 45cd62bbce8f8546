import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Entry, Refund, RefundResult } from "@tollgate/core/store";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";
import { expiredHold } from "./expired-hold.ts";
import { expectGrantedAgain, kindsOf, pinned } from "./lapses.ts";
import { inHours, ofPosted, sharesOf } from "./lots.ts";

/** The cases of `refund`. */
export const refundCases: Cases<BalanceContext> = {
  "a refund returns a charge to the lots that paid it, with their kinds and times": async (context) => {
    const expiresAt = inHours(1);
    await context.credit(50n);
    const lot = await context.lot(10n, { kind: "paid", expiresAt });
    const charge = await context.charge(30n);
    deepEqual(await refund(context, charge), { outcome: "posted", balance: ofPosted(60n), amount: 30n });
    const entry = (await context.ledger()).at(-1);
    deepEqual(
      [entry?.kind, entry?.amount, entry?.reference, entry?.reason],
      ["refund", 30n, `${charge.sequence}`, "poor answer"],
    );
    deepEqual(entry?.lots, [{ lot, kind: "paid", amount: 10n, expiresAt }]);
    equal(entry !== undefined && "receipt" in entry, false);
    deepEqual(sharesOf(await context.charge(30n)), [[lot, 10n]]);
  },
  "a refund of paid money that does not expire names no lot": async (context) => {
    await context.credit(50n);
    await refund(context, await context.charge(30n));
    const entry = (await context.ledger()).at(-1);
    equal(entry !== undefined && "lots" in entry, false);
    await context.expectBalance(50n, 0n);
  },
  "a partial refund returns what was taken last first": async (context) => {
    await context.lot(10n, { expiresAt: inHours(1) });
    const second = await context.lot(10n);
    await context.credit(10n);
    await refund(context, await context.charge(30n), { amount: 15n });
    deepEqual((await context.ledger()).slice(-1).map(sharesOf), [[[second, 5n]]]);
    deepEqual(sharesOf(await context.charge(15n)), [[second, 5n]]);
  },
  "amounts of lots beyond the precision of a double stay exact": async (context) => {
    const { store, account } = context;
    const unit = 9_007_199_254_740_993n;
    const expiresAt = inHours(1);
    const lot = await context.lot(8n * unit, { expiresAt });
    await store.debit({ id: crypto.randomUUID(), account, amount: unit, reason: "fee" });
    const charge = await context.charge(3n * unit);
    await refund(context, charge, { amount: unit + 1n });
    deepEqual((await context.ledger()).map(sharesOf), [
      [[lot, 8n * unit]],
      [[lot, unit]],
      [[lot, 3n * unit]],
      [[lot, unit + 1n]],
    ]);
    deepEqual((await store.balance(account)).expiring, [{ amount: 5n * unit + 1n, expiresAt }]);
    await context.expectBalance(5n * unit + 1n, 0n);
  },
  "a lot that was used up pays in its first place again": async (context) => {
    const first = await context.lot(10n);
    const second = await context.lot(10n);
    const charge = await context.charge(10n);
    await refund(context, charge);
    deepEqual(sharesOf(await context.charge(15n)), [
      [first, 10n],
      [second, 5n],
    ]);
  },
  "a charge is refunded once": async (context) => {
    await context.credit(50n);
    const [one, other] = [await context.charge(20n), await context.charge(20n)];
    equal((await refund(context, one)).outcome, "posted");
    const again = { outcome: "repeated", balance: ofPosted(30n), amount: 20n };
    deepEqual(await refund(context, one), again);
    deepEqual(await refund(context, one, { amount: 20n, reason: "sent again" }), again);
    deepEqual(await refund(context, one, { amount: 19n }), { outcome: "conflict" });
    equal((await refund(context, other, { amount: "0.000000005" })).outcome, "posted");
    deepEqual(await refund(context, other, { amount: 5n }), {
      outcome: "repeated",
      balance: ofPosted(35n),
      amount: 5n,
    });
    deepEqual(await refund(context, other), { outcome: "conflict" });
    await context.expectBalance(35n, 0n);
  },
  "an amount above the charge is a conflict and has no effect": async (context) => {
    await context.credit(50n);
    const charge = await context.charge(20n);
    deepEqual(await refund(context, charge, { amount: 21n }), { outcome: "conflict" });
    await context.expectBalance(30n, 0n);
    equal((await refund(context, charge, { amount: 20n })).outcome, "posted");
  },
  "an entry that is no charge of the account is unknown": async (context) => {
    await context.credit(50n);
    await context.lot(5n, { expiresAt: inHours(-1) });
    const charge = await context.charge(20n);
    await refund(context, charge);
    const others = (await context.ledger()).filter(({ kind }) => kind !== "charge");
    deepEqual(kindsOf(others), ["credit 50", "credit 5", "lapse -5", "refund 20"]);
    for (const entry of others) deepEqual(await refund(context, entry), { outcome: "unknown" });
    const unknown = [{ account: `${context.account}-other` }, { sequence: charge.sequence + 1_000_000_000n }];
    for (const change of unknown) deepEqual(await refund(context, charge, change), { outcome: "unknown" });
    await context.expectBalance(50n, 0n);
  },
  "what came from a lot whose time has passed is granted for 7 days": async (context) => {
    const { holds } = await pinned(context, [60n]);
    equal(await context.settle(holds[0] ?? "", 30n), "ended");
    await context.expectBalance(10n, 0n);
    const charge = (await context.ledger()).find(({ kind }) => kind === "charge");
    if (charge === undefined) throw new Error("The settlement must add an entry.");
    equal((await refund(context, charge)).outcome, "posted");
    const lot = `refund:${charge.sequence}`;
    await expectGrantedAgain(context, "refund", 30n, lot);
    deepEqual(sharesOf(await context.charge(20n)), [[lot, 20n]]);
    await context.expectBalance(20n, 0n);
  },
  "a refund pays a negative balance first": async (context) => {
    const lot = await context.lot(40n);
    const charge = await context.charge(40n);
    await context.store.debit({ id: crypto.randomUUID(), account: context.account, amount: 30n, reason: "fee" });
    equal((await refund(context, charge)).outcome, "posted");
    deepEqual((await context.ledger()).slice(-1).map(sharesOf), [[[lot, 10n]]]);
    await context.expectBalance(10n, 0n);
  },
  "an expiry and a late charge are refunded each": async (context) => {
    await context.credit(100n);
    const id = await expiredHold(context, 50n, 30n);
    equal(await context.settle(id, 45n), "late");
    const [expiry, late] = (await context.ledger()).slice(-2);
    deepEqual(kindsOf(await context.ledger()), ["credit 100", "expiry -30", "late -15"]);
    for (const entry of [expiry, late]) equal(entry && (await refund(context, entry)).outcome, "posted");
    await context.expectBalance(100n, 0n);
  },
  "an expiry is refunded at most what a late settlement has left of it, and that settlement not at all": async (
    context,
  ) => {
    await context.credit(100n);
    const id = await expiredHold(context, 50n, 30n);
    equal(await context.settle(id, 10n), "late");
    const [expiry, late] = (await context.ledger()).slice(-2);
    if (expiry === undefined || late === undefined) throw new Error("The expiry and the settlement must add entries.");
    deepEqual(await refund(context, late), { outcome: "unknown" });
    deepEqual(await refund(context, expiry, { amount: 11n }), { outcome: "conflict" });
    deepEqual(await refund(context, expiry), { outcome: "posted", balance: ofPosted(100n), amount: 10n });
    deepEqual(await refund(context, expiry), { outcome: "repeated", balance: ofPosted(100n), amount: 10n });
  },
  "a late settlement returns nothing that was refunded": async (context) => {
    await context.credit(100n);
    const id = await expiredHold(context, 50n, 30n);
    const expiry = (await context.ledger()).at(-1);
    equal(expiry && (await refund(context, expiry, { amount: 25n })).outcome, "posted");
    equal(await context.settle(id, 10n), "late");
    await context.expectBalance(100n, 0n);
    deepEqual(kindsOf(await context.ledger()), ["credit 100", "expiry -30", "refund 25", "late 5"]);
    equal(await context.settle(id, 10n), "repeated");
  },
  "what is surely a mistake throws with what to write": async (context) => {
    await context.credit(50n);
    const charge = await context.charge(20n);
    const mistakes: readonly (readonly [change: object, message: RegExp])[] = [
      [{ amount: 5 }, /`amount` must be a decimal string/],
      [{ amount: 0n }, /from 1 to 2\^63 - 1 nano-units/],
      [{ sequence: 1 }, /`sequence` must be/],
      [{ account: "" }, /`account` must be a string of at least one character/],
      [{ reason: undefined }, /`reason` is missing/],
      [{ reference: charge.reference }, /`reference` is not a member of a refund/],
    ];
    for (const [change, message] of mistakes) {
      await rejects(refund(context, charge, change), { name: "RangeError", message });
    }
    await context.expectBalance(30n, 0n);
  },
  "20 parallel refunds of one charge take effect once": async (context) => {
    await context.credit(50n);
    const { sequence } = await context.charge(20n);
    const wanted = { account: context.account, sequence, reason: "poor answer" };
    deepEqual(tally(await callConcurrently(context, 20, (client) => client.refund(wanted))), {
      posted: 1,
      repeated: 19,
    });
    await context.expectBalance(50n, 0n);
  },
  "of parallel refunds with different amounts, one takes effect": async (context) => {
    await context.credit(50n);
    const { sequence } = await context.charge(20n);
    const results = await callConcurrently(context, 10, (client, at) =>
      client.refund({ account: context.account, sequence, amount: BigInt(at + 1), reason: "poor answer" }),
    );
    deepEqual(tally(results), { posted: 1, conflict: 9 });
    const winner = results.findIndex(({ outcome }) => outcome === "posted");
    await context.expectBalance(30n + BigInt(winner + 1), 0n);
  },
};

async function refund(
  { store, account }: BalanceContext,
  { sequence }: Entry,
  change: Partial<Refund> = {},
): Promise<RefundResult> {
  return store.refund({ account, sequence, reason: "poor answer", ...change });
}
