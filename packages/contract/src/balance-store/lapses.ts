import { deepEqual, equal } from "node:assert/strict";
import type { Entry } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";
import { endByLease } from "./expired-hold.ts";
import { inHours, sharesOf } from "./lots.ts";

/**
 * The cases of money whose time has passed. Where the order of the steps matters, the time has passed before the first, so
 * that no case depends on the speed of the store.
 */
export const lapseCases: Cases<BalanceContext> = {
  "what is left of a lot expires at its time, as an entry that names it": async (context) => {
    await context.credit(5n);
    const expiresAt = new Date(Date.now() + 60);
    const lot = await context.lot(100n, { kind: "paid", expiresAt });
    await context.wait(80);
    await context.expectBalance(5n, 0n);
    const lapse = (await context.ledger()).at(-1);
    deepEqual([lapse?.kind, lapse?.amount, lapse?.reference], ["lapse", -100n, lot]);
    deepEqual(lapse?.lots, [{ lot, kind: "paid", amount: 100n, expiresAt }]);
    equal(lapse !== undefined && "receipt" in lapse, false);
  },
  "a hold after the time cannot use the lot": async (context) => {
    await context.lot(100n, { expiresAt: new Date(Date.now() + 60) });
    await context.wait(80);
    equal((await context.hold(1n)).outcome, "insufficient");
    await context.held(0n);
    await context.expectBalance(0n, 0n);
  },
  "the entries have an expiry that no other call has found": async (context) => {
    await context.lot(100n, { expiresAt: new Date(Date.now() + 60) });
    await context.wait(80);
    deepEqual(kindsOf(await context.ledger()), ["credit 100", "lapse -100"]);
    const [lapse] = (await context.store.entries({ account: context.account, limit: 9, kind: "lapse" })).entries;
    equal(lapse?.amount, -100n);
  },
  "a credit whose time has passed expires at once": async (context) => {
    await context.lot(100n, { expiresAt: inHours(-1) });
    equal((await context.hold(1n)).outcome, "insufficient");
    await context.expectBalance(0n, 0n);
    deepEqual(kindsOf(await context.ledger()), ["credit 100", "lapse -100"]);
  },
  "only the lots whose time has passed expire": async (context) => {
    await context.credit(1n);
    await context.lot(2n);
    const later = await context.lot(4n, { expiresAt: inHours(1) });
    await context.lot(8n, { expiresAt: inHours(-1) });
    await context.lot(16n, { kind: "paid", expiresAt: inHours(-2) });
    await context.expectBalance(7n, 0n);
    deepEqual(sharesOf(await context.charge(5n))[0], [later, 4n]);
  },
  "pending holds keep what they need of a lot, and each end lets more of it expire": async (context) => {
    const { holds, lot } = await pinned(context, [40n, 20n]);
    await context.expectBalance(60n, 60n);
    equal(await context.release(holds[1] ?? ""), "ended");
    await context.expectBalance(40n, 40n);
    equal(await context.settle(holds[0] ?? "", 25n), "ended");
    await context.expectBalance(10n, 0n);
    const entries = await context.ledger();
    deepEqual(kindsOf(entries).slice(2), ["credit 100", "lapse -50", "lapse -20", "charge -25", "lapse -5"]);
    for (const entry of entries.slice(3)) deepEqual(sharesOf(entry), [[lot, -entry.amount]]);
  },
  "the end of a hold by its lease lets a lot expire too": async (context) => {
    const { holds, lot } = await pinned(context, [60n]);
    await endByLease(context, holds[0] ?? "", 30n);
    await context.expectBalance(10n, 0n);
    const entries = await context.ledger();
    deepEqual(kindsOf(entries).slice(-2), ["expiry -30", "lapse -20"]);
    for (const entry of entries.slice(-2)) deepEqual(sharesOf(entry), [[lot, -entry.amount]]);
  },
  "a settlement first lets a lot expire, and then takes from what is left": async (context) => {
    await context.credit(100n);
    const id = await context.held(60n);
    await context.lot(100n, { expiresAt: new Date(Date.now() + 60) });
    await context.wait(80);
    equal(await context.settle(id, 50n), "ended");
    await context.expectBalance(50n, 0n);
    const entries = await context.ledger();
    deepEqual(kindsOf(entries).slice(2), ["lapse -100", "charge -50"]);
    deepEqual(entries.slice(3).map(sharesOf), [[]]);
  },
  "a credit and a debit let a lot expire that holds no longer need": async (context) => {
    await pinned(context, [60n]);
    await context.credit(20n);
    await context.expectBalance(60n, 60n);
    await context.store.debit({ id: crypto.randomUUID(), account: context.account, amount: 40n, reason: "fee" });
    await context.expectBalance(20n, 60n);
    deepEqual(kindsOf(await context.ledger()).slice(2), [
      "credit 100",
      "lapse -50",
      "credit 20",
      "lapse -20",
      "debit -40",
    ]);
  },
  "a late settlement returns what came from a lot whose time has passed as granted for 7 days": async (context) => {
    const { holds } = await pinned(context, [60n]);
    await endByLease(context, holds[0] ?? "", 30n);
    const expiry = (await context.ledger()).find(({ kind }) => kind === "expiry");
    equal(await context.settle(holds[0] ?? "", 10n), "late");
    await expectGrantedAgain(context, "late", 20n, `late:${expiry?.sequence}`);
    await context.expectBalance(30n, 0n);
  },
};

/**
 * Places holds that need most of a lot whose time has passed: 10 is posted besides the lot of 100, so that the holds keep what
 * they exceed 10 by.
 */
export async function pinned(context: BalanceContext, amounts: readonly bigint[]) {
  const held = amounts.reduce((sum, amount) => sum + amount, 0n);
  await context.credit(held);
  const holds: string[] = [];
  for (const amount of amounts) holds.push(await context.held(amount));
  const debit = { id: crypto.randomUUID(), account: context.account, amount: held - 10n, reason: "correction" };
  equal((await context.store.debit(debit)).outcome, "posted");
  const lot = await context.lot(100n, { expiresAt: inHours(-1) });
  return { holds, lot };
}

/** Fails unless the last entry of a kind has granted an amount that expires 7 days from now. */
export async function expectGrantedAgain(
  { ledger }: BalanceContext,
  kind: Entry["kind"],
  amount: bigint,
  lot: string,
): Promise<void> {
  const entry = (await ledger()).findLast((each) => each.kind === kind);
  const [share, ...others] = entry?.lots ?? [];
  deepEqual(
    [entry?.amount, share?.lot, share?.kind, share?.amount, others.length],
    [amount, lot, "granted", amount, 0],
  );
  // A tolerance of one minute, since the store can use the clock of another machine.
  equal(Math.abs((share?.expiresAt?.getTime() ?? 0) - inHours(7 * 24).getTime()) < 60_000, true);
}

/** The kinds and amounts of entries. */
export const kindsOf = (entries: readonly Entry[]): string[] => entries.map(({ kind, amount }) => `${kind} ${amount}`);
