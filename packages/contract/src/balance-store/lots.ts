import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Credit, Entry } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";
import { expiredHold } from "./expired-hold.ts";

/** The cases of money that is granted or expires: what is added to a lot, and the order in which lots pay. */
export const lotCases: Cases<BalanceContext> = {
  "a credit that is granted or expires names its lot, and any other names none": async (context) => {
    const [soon, later] = [inHours(1), inHours(2)];
    await context.credit(10n);
    const granted = await context.lot(20n);
    const paid = await context.lot(30n, { kind: "paid", expiresAt: soon });
    const both = await context.lot(40n, { expiresAt: later });
    const [plain, ...others] = await context.ledger();
    equal(plain !== undefined && "lots" in plain, false);
    deepEqual(
      others.map(({ lots }) => lots),
      [
        [{ lot: granted, kind: "granted", amount: 20n }],
        [{ lot: paid, kind: "paid", amount: 30n, expiresAt: soon }],
        [{ lot: both, kind: "granted", amount: 40n, expiresAt: later }],
      ],
    );
    await context.expectBalance(100n, 0n);
  },
  "a charge takes from the lot that expires first, then from granted ones, then from paid money": async (context) => {
    await context.credit(100n);
    const first = await context.lot(10n);
    const later = await context.lot(10n, { kind: "paid", expiresAt: inHours(2) });
    const soon = await context.lot(10n, { expiresAt: inHours(1) });
    const second = await context.lot(10n);
    const charge = await context.charge(35n);
    deepEqual(sharesOf(charge), [
      [soon, 10n],
      [later, 10n],
      [first, 10n],
      [second, 5n],
    ]);
    equal(charge.amount, -35n);
    deepEqual(sharesOf(await context.charge(12n)), [[second, 5n]]);
    equal("lots" in (await context.charge(1n)), false);
    await context.expectBalance(92n, 0n);
  },
  "lots that expire at the same time pay in the order of their credits": async (context) => {
    const at = { expiresAt: inHours(1) };
    const lots = [
      await context.lot(10n, at),
      await context.lot(10n, { ...at, kind: "paid" }),
      await context.lot(10n, at),
    ];
    deepEqual(
      sharesOf(await context.charge(30n)),
      lots.map((lot) => [lot, 10n]),
    );
  },
  "a charge above the balance empties the lots and makes it negative": async (context) => {
    await context.credit(5n);
    const lot = await context.lot(10n);
    const charge = await context.charge(30n);
    deepEqual([charge.amount, sharesOf(charge)], [-30n, [[lot, 10n]]]);
    await context.expectBalance(-15n, 0n);
  },
  "a lot pays a negative balance first, and has what is left": async (context) => {
    await debit(context, 30n);
    await context.lot(20n);
    const lot = await context.lot(100n);
    const [, first, second] = await context.ledger();
    equal(first !== undefined && "lots" in first, false);
    deepEqual(second && [second.amount, sharesOf(second)], [100n, [[lot, 90n]]]);
    deepEqual(sharesOf(await context.charge(95n)), [[lot, 90n]]);
    await context.expectBalance(-5n, 0n);
  },
  "a debit takes from the lots as a charge does": async (context) => {
    await context.credit(10n);
    const lot = await context.lot(10n, { expiresAt: inHours(1) });
    await debit(context, 15n);
    const entry = (await context.ledger()).at(-1);
    deepEqual(entry && [entry.amount, sharesOf(entry)], [-15n, [[lot, 10n]]]);
  },
  "a debit of paid money takes from paid lots alone, and at most what is left of them": async (context) => {
    await context.credit(50n);
    await context.lot(30n);
    await context.lot(10n, { expiresAt: inHours(1) });
    const paid = await context.lot(20n, { kind: "paid", expiresAt: inHours(2) });
    equal(await debit(context, 30n, "paid"), 30n);
    equal(await debit(context, 100n, "paid"), 40n);
    const [first, second] = (await context.ledger()).slice(-2);
    deepEqual(first && [first.amount, sharesOf(first)], [-30n, [[paid, 20n]]]);
    deepEqual(second && [second.amount, sharesOf(second)], [-40n, []]);
    await context.expectBalance(40n, 0n);
  },
  "a debit of paid money that finds none posts nothing, also when it is repeated later": async (context) => {
    const { store, account } = context;
    await context.lot(30n);
    const wanted = { id: crypto.randomUUID(), account, amount: 10n, reason: "refund", from: "paid" as const };
    deepEqual(await store.debit(wanted), { outcome: "posted", balance: ofPosted(30n), amount: 0n });
    await context.credit(50n);
    deepEqual(await store.debit(wanted), { outcome: "repeated", balance: ofPosted(80n), amount: 0n });
    equal((await store.debit({ ...wanted, amount: 11n })).outcome, "conflict");
    await context.expectBalance(80n, 0n);
  },
  "a debit of paid money never makes a balance negative": async (context) => {
    await debit(context, 5n);
    equal(await debit(context, 10n, "paid"), 0n);
    await context.credit(8n);
    equal(await debit(context, 10n, "paid"), 3n);
    await context.expectBalance(0n, 0n);
  },
  "a repeated debit of paid money returns what the first took": async (context) => {
    const { store, account } = context;
    await context.credit(5n);
    const wanted = { id: crypto.randomUUID(), account, amount: 10n, reason: "refund", from: "paid" as const };
    deepEqual(await store.debit(wanted), { outcome: "posted", balance: ofPosted(0n), amount: 5n });
    await context.credit(50n);
    deepEqual(await store.debit(wanted), { outcome: "repeated", balance: ofPosted(50n), amount: 5n });
    const { from: _, ...other } = wanted;
    equal((await store.debit(other)).outcome, "conflict");
    equal((await store.debit({ ...wanted, amount: 5n })).outcome, "conflict");
    await context.expectBalance(50n, 0n);
  },
  "a repeated credit of a lot takes effect once, also after the lot is used": async (context) => {
    const { store } = context;
    const credit = granted(context, 10n, inHours(1));
    await store.credit(credit);
    await context.charge(10n);
    deepEqual(await store.credit(credit), { outcome: "repeated", balance: ofPosted(0n), amount: 10n });
    await context.expectBalance(0n, 0n);
  },
  "the same id with another kind or time is a conflict, and a credit is paid unless it says otherwise": async (
    context,
  ) => {
    const { store } = context;
    const credit = granted(context, 10n, inHours(1));
    await store.credit(credit);
    const { expiresAt: _, ...lasting } = credit;
    const others: readonly Credit[] = [{ ...credit, kind: "paid" }, { ...credit, expiresAt: inHours(2) }, lasting];
    for (const other of others) deepEqual(await store.credit(other), { outcome: "conflict" });
    const { kind: _kind, ...paid } = { ...lasting, id: crypto.randomUUID() };
    equal((await store.credit(paid)).outcome, "posted");
    equal((await store.credit({ ...paid, kind: "paid" })).outcome, "repeated");
    await context.expectBalance(20n, 0n);
  },
  "what is surely a mistake throws with what to write": async (context) => {
    const { store, expectBalance } = context;
    const credit = granted(context, 10n, inHours(1));
    const mistakes: readonly (readonly [change: object, message: RegExp])[] = [
      [{ kind: "gift" }, /`kind` must be "paid" or "granted"/],
      [{ expiresAt: new Date(Number.NaN) }, /`expiresAt` must be a valid Date/],
      [{ expiresAt: Date.now() }, /`expiresAt` must be a valid Date/],
      [{ from: "paid" }, /`from` is not a member of a posting/],
      [{ id: "allowance:month" }, /`id` must not begin with "allowance:", "late:" or "refund:" for money/],
      [{ id: "refund:1" }, /`id` must not begin with "allowance:", "late:" or "refund:" for money/],
    ];
    for (const [change, message] of mistakes) {
      const wrong = Object.assign({ ...credit }, change);
      await rejects(async () => store.credit(wrong), { name: "RangeError", message });
    }
    const { kind, expiresAt, ...debited } = credit;
    const others: readonly object[] = [{ from: "granted" }, { kind }, { expiresAt }];
    for (const change of others) {
      const wrong = Object.assign({ ...debited }, change);
      await rejects(async () => store.debit(wrong), RangeError);
    }
    await expectBalance(0n, 0n);
  },
  "a late settlement that costs less returns money to the lots, the last one that paid first": async (context) => {
    const [first, second] = [await context.lot(10n, { expiresAt: inHours(1) }), await context.lot(10n)];
    await context.credit(10n);
    const id = await expiredHold(context, 30n, 25n);
    deepEqual((await context.ledger()).slice(-1).map(sharesOf), [
      [
        [first, 10n],
        [second, 10n],
      ],
    ]);
    equal(await context.settle(id, 12n), "late");
    const late = (await context.ledger()).at(-1);
    deepEqual(late && [late.amount, sharesOf(late)], [13n, [[second, 8n]]]);
    deepEqual(sharesOf(await context.charge(9n)), [[second, 8n]]);
    await context.expectBalance(9n, 0n);
  },
  "a late settlement that costs more takes from the lots": async (context) => {
    const lot = await context.lot(30n);
    const id = await expiredHold(context, 30n, 10n);
    equal(await context.settle(id, 25n), "late");
    const late = (await context.ledger()).at(-1);
    deepEqual(late && [late.amount, sharesOf(late)], [-15n, [[lot, 15n]]]);
  },
  "a balance lists what is left of money that expires, the next first": async (context) => {
    const [soon, later] = [inHours(1), inHours(2)];
    await context.lot(10n, { expiresAt: later });
    await context.lot(20n, { kind: "paid", expiresAt: soon });
    await context.lot(30n);
    const expiring = async () => (await context.store.balance(context.account)).expiring;
    deepEqual(await expiring(), [
      { amount: 20n, expiresAt: soon },
      { amount: 10n, expiresAt: later },
    ]);
    await context.charge(25n);
    deepEqual(await expiring(), [{ amount: 5n, expiresAt: later }]);
    await context.charge(5n);
    deepEqual(await expiring(), []);
  },
};

/** What each lot paid or received of an entry, in the order of the entry. */
export const sharesOf = ({ lots = [] }: Entry): (readonly [lot: string, amount: bigint])[] =>
  lots.map(({ lot, amount }) => [lot, amount]);

/** The time in a number of hours, which are negative for the past. */
export const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);

/** A balance without holds. */
export const ofPosted = (posted: bigint) => ({ posted, held: 0n, available: posted });

function granted({ account }: BalanceContext, amount: bigint, expiresAt: Date) {
  return { id: crypto.randomUUID(), account, amount, reason: "promotion", kind: "granted" as const, expiresAt };
}

/** Debits the account, and returns what was posted. */
async function debit({ store, account }: BalanceContext, amount: bigint, from?: "paid"): Promise<bigint> {
  const wanted = { id: crypto.randomUUID(), account, amount, reason: "correction" };
  const result = await store.debit(from === undefined ? wanted : { ...wanted, from });
  return result.outcome === "conflict" ? -1n : result.amount;
}
