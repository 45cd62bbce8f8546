import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Allowance, HoldResult } from "@tollgate/core/store";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, holdRequest } from "./context.ts";
import { ofPosted, sharesOf } from "./lots.ts";

const monthly: Allowance = { amount: 100n, window: "month" };
const with100 = { allowance: monthly };

/** The cases of allowances. Windows are months, so a run at midnight on the first of a month can fail. */
export const allowanceCases: Cases<BalanceContext> = {
  "the first hold of a window grants the allowance, which expires with the window": async (context) => {
    const balance = { posted: 100n, held: 30n, available: 70n };
    deepEqual(await context.hold(30n, with100), { outcome: "held", balance, amount: 30n });
    const [grant, ...others] = await context.ledger();
    equal(others.length, 0);
    const { lot, start, end } = monthOf(0);
    deepEqual([grant?.kind, grant?.amount, grant?.reference, grant?.reason], ["credit", 100n, lot, "allowance"]);
    deepEqual(grant?.lots, [{ lot, kind: "granted", amount: 100n, expiresAt: end }]);
    equal(grant !== undefined && grant.at >= start && grant.at < end, true);
  },
  "later holds of the window grant nothing, whatever the amount of the allowance is then": async (context) => {
    await context.held(30n, with100);
    await context.held(30n, with100);
    await context.held(0n, { allowance: { ...monthly, amount: 500n } });
    equal((await context.hold(41n, with100)).outcome, "insufficient");
    await context.charge(40n, with100);
    equal((await context.hold(1n, with100)).outcome, "insufficient");
    await context.expectBalance(60n, 60n);
  },
  "exactly 10 of 100 parallel first holds succeed on an allowance for 10, which is granted once": async (context) => {
    const { account } = context;
    const results = await callConcurrently(context, 100, (client) => client.hold(holdRequest(account, 10n, with100)));
    deepEqual(tally(results), { held: 10, insufficient: 90 });
    await context.expectBalance(100n, 100n);
    equal((await context.ledger()).length, 1);
  },
  "a balance counts the allowance of the present window, whether it is granted yet or not": async (context) => {
    const { store, account } = context;
    const wanted = {
      ...ofPosted(100n),
      expiring: [{ amount: 100n, expiresAt: monthOf(0).end }],
      totals: { credited: 100n, used: 0n },
    };
    deepEqual(await store.balance(account, monthly), wanted);
    deepEqual(await store.balance(account), {
      ...ofPosted(0n),
      expiring: [],
      totals: { credited: 0n, used: 0n },
    });
    await context.held(0n, with100);
    deepEqual(await store.balance(account, monthly), wanted);
    deepEqual(await store.balance(account), wanted);
  },
  "a balance counts what a negative one leaves of the allowance as money that expires": async (context) => {
    const { store, account } = context;
    await debit(context, 30n);
    const { posted, expiring } = await store.balance(account, monthly);
    deepEqual([posted, expiring], [70n, [{ amount: 70n, expiresAt: monthOf(0).end }]]);
    await context.held(70n, with100);
    deepEqual((await context.ledger()).slice(-1).map(sharesOf), [[[monthOf(0).lot, 70n]]]);
    equal((await context.hold(1n, with100)).outcome, "insufficient");
  },
  "a hold is refused above the allowance, and told what there is with it": async (context) => {
    deepEqual(await context.hold(101n, with100), { outcome: "insufficient", balance: ofPosted(100n) });
    await context.held(100n, with100);
    await context.expectBalance(100n, 100n);
  },
  "a flexible hold takes a quarter of what there is with the allowance": async (context) => {
    equal(heldOf(await context.hold(1_000n, { ...with100, flexible: { least: 5n, floor: 10n } })), 25n);
    await context.expectBalance(100n, 25n);
  },
  "a charge takes from the allowance before lots that expire later, and before paid money": async (context) => {
    await context.credit(50n);
    await context.lot(50n);
    deepEqual(sharesOf(await context.charge(40n, with100)), [[monthOf(0).lot, 40n]]);
  },
  "windows begin in the time zone": async (context) => {
    // Its clocks are 14 hours ahead of UTC all year.
    const allowance: Allowance = { ...monthly, timezone: "Pacific/Kiritimati" };
    await context.held(10n, { allowance });
    const [grant] = await context.ledger();
    const { lot, end } = monthOf(14);
    deepEqual([grant?.reference, grant?.lots?.[0]?.expiresAt], [lot, end]);
    deepEqual(await context.store.balance(context.account, allowance), {
      posted: 100n,
      held: 10n,
      available: 90n,
      expiring: [{ amount: 100n, expiresAt: end }],
      totals: { credited: 100n, used: 0n },
    });
  },
  "the allowances of two plans are granted once each, also when their holds alternate": async (context) => {
    const daily: Allowance = { amount: 10n, window: "day" };
    for (const allowance of [monthly, daily, monthly, daily, monthly]) await context.held(1n, { allowance });
    const grants = (await context.ledger()).filter(({ kind }) => kind === "credit").map(({ amount }) => amount);
    deepEqual(grants.slice(0, 2), [100n, 10n]);
    // A second day can begin while this runs.
    equal(grants.length < 4, true);
  },
  "the allowance of one account is not that of another": async (context) => {
    await context.held(10n, with100);
    const other = `${context.account}-other`;
    const results = [
      await context.store.hold(holdRequest(other, 100n, with100)),
      await context.store.hold(holdRequest(other, 1n)),
    ];
    deepEqual(tally(results), { held: 1, insufficient: 1 });
    await context.expectBalance(100n, 10n);
  },
  "an invalid allowance throws": async ({ store, account, hold, expectBalance }) => {
    const amounts: readonly object[] = [{ amount: 0n }, { amount: -1n }, { amount: 5 }];
    for (const change of amounts)
      await rejects(hold(1n, { allowance: Object.assign({ ...monthly }, change) }), RangeError);
    const others: readonly object[] = [
      { window: "total" },
      { window: "year" },
      { timezone: "Mars/Base" },
      { limit: 1n },
    ];
    for (const change of [...amounts, ...others]) {
      const wrong = Object.assign({ ...monthly }, change);
      await rejects(async () => store.balance(account, wrong), RangeError);
    }
    await expectBalance(0n, 0n);
  },
};

/** The present month of a time zone that is this many hours ahead of UTC, and the lot of its allowance. */
function monthOf(hoursAhead: number) {
  const local = new Date(Date.now() + hoursAhead * 3_600_000);
  const startOf = (month: number) => new Date(Date.UTC(local.getUTCFullYear(), month, 1, -hoursAhead));
  const start = startOf(local.getUTCMonth());
  return { start, end: startOf(local.getUTCMonth() + 1), lot: `allowance:month:${start.toISOString()}` };
}

const heldOf = (result: HoldResult): bigint | undefined => (result.outcome === "held" ? result.amount : undefined);

async function debit({ store, account }: BalanceContext, amount: bigint): Promise<void> {
  await store.debit({ id: crypto.randomUUID(), account, amount, reason: "correction" });
}
