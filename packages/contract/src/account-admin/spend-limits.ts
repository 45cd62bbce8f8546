import { deepEqual, equal } from "node:assert/strict";
import type { HoldRequest, SpendLimit } from "@tollgate/core/store";
import { chargeReceipt, holdRequest } from "../balance-store/context.ts";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type AccountContext, inTotal, spentOf } from "./context.ts";

const ofAccount = (limit: bigint): Partial<HoldRequest> => ({ spend: { account: inTotal(limit) } });

/** The cases of spend limits. */
export const spendCases: Cases<AccountContext> = {
  "a hold within the limit is held, and one above it is refused without effect": async (context) => {
    await context.credit(1_000n);
    await context.held(60n, ofAccount(100n));
    const refused = await context.hold(41n, ofAccount(100n));
    deepEqual(refused, { outcome: "spend_limit", scope: "account", limit: inTotal(100n), spent: 60n });
    await context.held(40n, ofAccount(100n));
    await context.expectBalance(1_000n, 100n);
    equal(await spentOf(context, "account", context.account, inTotal(100n)), 100n);
  },
  "the balance is checked before the limit": async ({ credit, hold }) => {
    await credit(10n);
    equal((await hold(11n, ofAccount(5n))).outcome, "insufficient");
    equal((await hold(6n, ofAccount(5n))).outcome, "spend_limit");
  },
  "exactly 10 of 100 parallel holds succeed on a limit for 10": async (context) => {
    await context.credit(100_000n);
    const results = await callConcurrently(context, 100, (client) =>
      client.hold(holdRequest(context.account, 100n, ofAccount(1_000n))),
    );
    deepEqual(tally(results), { held: 10, spend_limit: 90 });
    await context.expectBalance(100_000n, 1_000n);
  },
  "exactly 10 of 100 parallel holds of one key succeed on its limit, and those of another key are not counted": async (
    context,
  ) => {
    await context.credit(100_000n);
    const keyId = crypto.randomUUID();
    const results = await callConcurrently(context, 110, (client, at) => {
      const spend = { account: inTotal(50_000n), ...(at < 100 ? { key: inTotal(1_000n) } : {}) };
      return client.hold(holdRequest(context.account, 100n, { keyId: at < 100 ? keyId : "other", spend }));
    });
    deepEqual(tally(results), { held: 20, spend_limit: 90 });
    equal(await spentOf(context, "key", keyId, inTotal(1_000n)), 1_000n);
    equal(await spentOf(context, "account", context.account, inTotal(0n)), 2_000n);
  },
  "a limit of the key within that of the account, and the other way round": async ({ credit, hold, held }) => {
    await credit(1_000n);
    const keyId = crypto.randomUUID();
    const both = (account: bigint, key: bigint) => ({ keyId, spend: { account: inTotal(account), key: inTotal(key) } });
    await held(30n, both(100n, 40n));
    deepEqual(await hold(11n, both(100n, 40n)), {
      outcome: "spend_limit",
      scope: "key",
      limit: inTotal(40n),
      spent: 30n,
    });
    deepEqual(await hold(11n, both(40n, 40n)), {
      outcome: "spend_limit",
      scope: "account",
      limit: inTotal(40n),
      spent: 30n,
    });
    await held(10n, both(40n, 40n));
  },
  "the account's own limit overrides the default of its plan": async ({ store, account, credit, hold, held }) => {
    await credit(1_000n);
    await store.limitSpend(account, inTotal(50n));
    await held(50n, ofAccount(10n));
    equal((await hold(1n, ofAccount(1_000n))).outcome, "spend_limit");
    equal((await hold(1n)).outcome, "spend_limit");
    await store.limitSpend(account, undefined);
    await held(1n);
    equal((await hold(1n, ofAccount(10n))).outcome, "spend_limit");
  },
  "a settlement, a release and an expiry correct what is spent": async (context) => {
    await context.credit(10_000n);
    const limit = inTotal(1_000n);
    const spend = { account: limit, key: limit };
    const keyId = crypto.randomUUID();
    const spent = async () => [
      await spentOf(context, "account", context.account, limit),
      await spentOf(context, "key", keyId, limit),
    ];
    const [below, above, released, expired] = [
      await context.held(100n, { keyId, spend }),
      await context.held(100n, { keyId, spend }),
      await context.held(100n, { keyId, spend }),
      await context.held(100n, { keyId, spend }),
    ];
    deepEqual(await spent(), [400n, 400n]);
    await context.settle(below, 30n);
    await context.settle(above, 150n);
    deepEqual(await spent(), [380n, 380n]);
    await context.release(released);
    deepEqual(await spent(), [280n, 280n]);
    await context.store.renew([{ id: expired, account: context.account, used: 20n }], 20);
    await context.wait(40);
    await context.store.expire();
    deepEqual(await spent(), [200n, 200n]);
    equal(await context.settle(expired, 50n), "late");
    deepEqual(await spent(), [230n, 230n]);
    await context.settle(below, 30n);
    deepEqual(await spent(), [230n, 230n]);
  },
  "a refund counts no more in the windows of its hold": async (context) => {
    const { store, account } = context;
    await context.credit(1_000n);
    const keyId = crypto.randomUUID();
    const spend = { account: inTotal(100n), key: inTotal(90n) };
    const charge = await context.charge(90n, { keyId, spend });
    equal((await context.hold(11n, { keyId, spend })).outcome, "spend_limit");
    const refund = { account, sequence: charge.sequence, amount: 60n, reason: "poor answer" };
    for (const outcome of ["posted", "repeated"]) equal((await store.refund(refund)).outcome, outcome);
    equal(await spentOf(context, "account", account, inTotal(0n)), 30n);
    equal(await spentOf(context, "key", keyId, inTotal(0n)), 30n);
    await context.held(60n, { keyId, spend });
  },
  "a refund of a charge without a limit changes no window": async (context) => {
    const { store, account } = context;
    await context.credit(1_000n);
    const { sequence } = await context.charge(90n);
    await context.held(50n, ofAccount(100n));
    equal((await store.refund({ account, sequence, reason: "poor answer" })).outcome, "posted");
    equal(await spentOf(context, "account", account, inTotal(0n)), 50n);
  },
  "a flexible hold takes a quarter of what the limits leave, its floor, or all that they leave": async (context) => {
    await context.credit(1_000_000n);
    const keyId = crypto.randomUUID();
    const spend = { account: inTotal(400n), key: inTotal(100n) };
    const take = async (least: bigint, floor: bigint) => {
      const result = await context.hold(1_000n, { keyId, spend, flexible: { least, floor } });
      return result.outcome === "held" ? result.amount : result;
    };
    equal(await take(1n, 10n), 25n);
    equal(await take(1n, 60n), 60n);
    equal(await take(15n, 20n), 15n);
    const refused = { outcome: "spend_limit", scope: "key", limit: inTotal(100n), spent: 100n };
    deepEqual(await take(1n, 20n), refused);
    equal(await spentOf(context, "account", context.account, inTotal(400n)), 100n);
  },
  "parallel flexible holds of two keys take no more than the limits leave": async (context) => {
    await context.credit(1_000_000n);
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const results = await callConcurrently(context, 60, (client, at) => {
      const spend = { account: inTotal(1_000n), ...(at % 2 === 0 ? { key: inTotal(300n) } : {}) };
      const flexible = { least: 5n, floor: 20n };
      return client.hold(holdRequest(context.account, 10_000n, { keyId: at % 2 === 0 ? one : other, spend, flexible }));
    });
    const sum = results.reduce((total, result) => total + (result.outcome === "held" ? result.amount : 0n), 0n);
    // Less than 5 may be left, which no hold takes.
    equal(sum > 995n && sum <= 1_000n, true);
    equal(await spentOf(context, "account", context.account, inTotal(0n)), sum);
    equal(((await spentOf(context, "key", one, inTotal(0n))) ?? 0n) <= 300n, true);
    await context.expectBalance(1_000_000n, sum);
  },
  "a repeated hold counts once": async (context) => {
    await context.credit(1_000n);
    const id = await context.held(60n, ofAccount(100n));
    await context.held(60n, { ...ofAccount(100n), id });
    equal(await spentOf(context, "account", context.account, inTotal(100n)), 60n);
  },
  "usage above its hold can exceed the limit, and then holds of zero are refused": async (context) => {
    await context.credit(1_000n);
    await context.settle(await context.held(100n, ofAccount(100n)), 130n);
    const refused = { outcome: "spend_limit", scope: "account", limit: inTotal(100n), spent: 130n };
    deepEqual(await context.hold(0n, ofAccount(100n)), refused);
  },
  "holds without a limit are not counted": async (context) => {
    await context.credit(1_000n);
    await context.held(500n);
    await context.held(100n, ofAccount(100n));
    equal(await spentOf(context, "account", context.account, inTotal(100n)), 100n);
  },
  "a hold without a key counts in the limit of its account": async (context) => {
    await context.credit(1_000n);
    const receipt = { requestId: crypto.randomUUID(), description: "An image" };
    const hostHold = { ...ofAccount(50n), keyId: undefined, receipt };
    await context.held(30n, hostHold);
    const refused = await context.hold(21n, hostHold);
    deepEqual(refused, { outcome: "spend_limit", scope: "account", limit: inTotal(50n), spent: 30n });
    await context.held(20n, hostHold);
  },
  "windows and time zones are counted apart, and each ends at its time": async (context) => {
    await context.credit(1_000n);
    const limits = [
      { limit: 10n, window: "month" },
      { limit: 10n, window: "month", timezone: "Pacific/Kiritimati" },
    ] as const;
    for (const limit of limits) {
      await context.held(10n, { spend: { account: limit } });
      const refused = await context.hold(1n, { spend: { account: limit } });
      equal(refused.outcome, "spend_limit");
      const [state] = await context.store.spendOf([{ scope: "account", id: context.account, limit }]);
      deepEqual(state, { limit, spent: 10n, resetsAt: startOfNextMonth(limit === limits[1] ? 14 : 0) });
      if (refused.outcome === "spend_limit") deepEqual(refused.resetsAt, state?.resetsAt);
    }
  },
  "a limit of models counts and refuses only their holds": async (context) => {
    await context.credit(1_000n);
    const limit = ofModels(100n, "large", "small-*");
    const spend = { key: limit };
    const keyId = crypto.randomUUID();
    const of = (model: string) => ({ keyId, spend, receipt: { requestId: "req-1", model, dialect: "chat" } as const });
    await context.held(60n, of("large"));
    await context.held(30n, of("small-1"));
    await context.held(200n, of("small"));
    await context.held(200n, of("larger"));
    deepEqual(await context.hold(11n, of("small-2")), { outcome: "spend_limit", scope: "key", limit, spent: 90n });
    await context.settle(await context.held(10n, of("small-2")), 4n);
    equal(await spentOf(context, "key", keyId, limit), 94n);
    await context.held(200n, of("huge"));
  },
  "a charge of the host counts in no limit of models": async (context) => {
    await context.credit(1_000n);
    const receipt = { requestId: crypto.randomUUID(), description: "an image" };
    const spend = { account: ofModels(10n, "*") };
    await context.held(50n, { receipt, spend });
    equal(await spentOf(context, "account", context.account, ofModels(10n, "*")), 0n);
    equal((await context.hold(50n, { receipt, spend: { account: inTotal(10n) } })).outcome, "spend_limit");
  },
  "limits of other models are counted apart, whatever the order of their models": async (context) => {
    await context.credit(1_000n);
    const [one, both, all] = [ofModels(100n, "b"), ofModels(100n, "b", "a"), inTotal(100n)];
    const receipt = { requestId: "req-1", model: "b", dialect: "chat" } as const;
    await context.held(50n, { receipt, spend: { account: both } });
    await context.held(20n, { receipt, spend: { account: one } });
    await context.held(10n, { receipt, spend: { account: all } });
    const spent = (limit: SpendLimit) => spentOf(context, "account", context.account, limit);
    deepEqual([await spent(one), await spent(both), await spent(all)], [20n, 50n, 10n]);
    equal(await spent(ofModels(7n, "a", "b", "a")), 50n);
    equal((await context.hold(51n, { receipt, spend: { account: ofModels(100n, "a", "b") } })).outcome, "spend_limit");
  },
  "the account's own limit of models overrides the default of its plan for all models": async (context) => {
    const { store, account, credit, hold, held } = context;
    await credit(1_000n);
    const own = ofModels(50n, "large_%", "l\\*");
    await store.limitSpend(account, own);
    deepEqual((await store.findAccount(account))?.spendLimit, own);
    const of = (model: string) => ({
      ...ofAccount(10n),
      receipt: { requestId: "req-1", model, dialect: "chat" } as const,
    });
    await held(50n, of("large_%"));
    await held(100n, of("largeX1"));
    equal((await hold(1n, of("l\\arge"))).outcome, "spend_limit");
    await held(100n, of("large"));
    equal(await spentOf(context, "account", account, own), 50n);
    await store.limitSpend(account, inTotal(50n));
    deepEqual((await store.findAccount(account))?.spendLimit, inTotal(50n));
    await held(50n, of("large_%"));
    equal((await hold(1n, of("other"))).outcome, "spend_limit");
  },
  "parallel holds and settlements keep what is spent exact": async (context) => {
    await context.credit(1_000_000n);
    const limit = inTotal(1_000n);
    const charges = await callConcurrently(context, 120, async (client, at) => {
      const request = holdRequest(context.account, 100n, { spend: { account: limit } });
      if ((await client.hold(request)).outcome !== "held") return 0n;
      if (at % 4 === 0) return (await client.release(request)).outcome === "ended" ? 0n : -1n;
      await client.settle(request, BigInt(at % 7), chargeReceipt());
      return BigInt(at % 7);
    });
    const sum = charges.reduce((total, charge) => total + charge, 0n);
    equal(await spentOf(context, "account", context.account, limit), sum);
    await context.expectBalance(1_000_000n - sum, 0n);
  },
};

const ofModels = (limit: bigint, ...models: readonly string[]): SpendLimit => ({ ...inTotal(limit), models });

function startOfNextMonth(hoursAhead: number): Date {
  const local = new Date(Date.now() + hoursAhead * 3_600_000);
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1, -hoursAhead));
}
