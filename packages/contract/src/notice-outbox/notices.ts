import { deepEqual, equal } from "node:assert/strict";
import type { HoldRequest, Notice, SpendLimit } from "@tollgate/core/store";
import { chargeReceipt, holdRequest } from "../balance-store/context.ts";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { claimAll, type NoticeContext } from "./context.ts";

const limit: SpendLimit = { limit: 100n, window: "total" };
const thresholds = [50, 80, 100];
const limited: Partial<HoldRequest> = { spend: { account: limit }, notices: { thresholds } };
const low: Partial<HoldRequest> = { notices: { thresholds: [], lowBalance: 50n } };
const both: Partial<HoldRequest> = { ...limited, notices: { thresholds, lowBalance: 50n } };

/** The cases of limits and low balances, and of reading the outbox. */
export const noticeCases: Cases<NoticeContext> = {
  "each threshold that is charged writes one notice": async (context) => {
    await context.credit(1_000n);
    await charge(context, 49n, limited);
    deepEqual(await thresholdsOf(context), []);
    await charge(context, 1n, limited);
    const [first] = await claimed(context);
    deepEqual(first, {
      id: first?.id,
      account: context.account,
      at: first?.at,
      attempts: 0,
      delivered: [],
      type: "spend.threshold",
      scope: "account",
      threshold: 50,
      limit,
      spent: 50n,
    });
    await charge(context, 50n, limited);
    deepEqual(await thresholdsOf(context), [80, 100]);
    await charge(context, 0n, { ...limited, spend: { account: { ...limit, limit: 200n } } });
    deepEqual(await thresholdsOf(context), []);
  },
  "holds that run, are released or cost less than they hold write none": async (context) => {
    await context.credit(100n);
    const [running, released] = [await context.held(60n, both), await context.held(40n, both)];
    deepEqual(await claimed(context), []);
    await context.release(released);
    await context.settle(running, 49n);
    await context.held(51n, both);
    deepEqual(await claimed(context), []);
    deepEqual((await context.store.balance(context.account)).posted, 51n);
  },
  "a key's limit writes notices of its own, with the end of the window": async (context) => {
    await context.credit(1_000n);
    const keyId = crypto.randomUUID();
    const key: SpendLimit = { limit: 10n, window: "month", timezone: "Europe/Berlin" };
    await charge(context, 9n, { keyId, spend: { account: limit, key }, notices: { thresholds } });
    const found = await claimed(context);
    deepEqual(
      found.map((notice) =>
        notice.type === "spend.threshold"
          ? [notice.scope, notice.keyId, notice.threshold, notice.spent, notice.limit]
          : [],
      ),
      [50, 80].map((threshold) => ["key", keyId, threshold, 9n, key]),
    );
    const [notice] = found;
    equal(notice?.type === "spend.threshold" && notice.resetsAt !== undefined && notice.resetsAt > new Date(), true);
  },
  "a notice of a limit of models names them": async (context) => {
    await context.credit(1_000n);
    const account: SpendLimit = { limit: 10n, window: "total", models: ["model-1", "o*"] };
    const key: SpendLimit = { limit: 10n, window: "total", models: ["model-*"] };
    await charge(context, 9n, { spend: { account, key }, notices: { thresholds: [80] } });
    deepEqual(
      (await claimed(context)).map((notice) => notice.type === "spend.threshold" && [notice.scope, notice.limit]),
      [
        ["account", account],
        ["key", key],
      ],
    );
  },
  "keys of one chain of rotations share a limit, and a notice names the key that reached it": async (context) => {
    await context.credit(1_000n);
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const key: SpendLimit = { limit: 10n, window: "total" };
    await charge(context, 4n, { keyId: first, spend: { key }, notices: { thresholds } });
    await charge(context, 2n, { keyId: second, spend: { key, limitsId: first }, notices: { thresholds } });
    const found = await claimed(context);
    deepEqual(
      found.map((notice) => notice.type === "spend.threshold" && [notice.keyId, notice.threshold, notice.spent]),
      [[second, 50, 6n]],
    );
    equal((await context.hold(5n, { keyId: second, spend: { key, limitsId: first } })).outcome, "spend_limit");
  },
  "a charge above its hold, an expiry and a late charge write notices": async (context) => {
    await context.credit(1_000n);
    const id = await context.held(40n, limited);
    await context.settle(id, 60n);
    deepEqual(await thresholdsOf(context), [50]);
    const late = await context.held(40n, limited);
    await context.store.renew([{ id: late, account: context.account, used: 20n }], 20);
    await context.wait(40);
    await context.store.expire();
    deepEqual(await thresholdsOf(context), [80]);
    await context.settle(late, 40n);
    deepEqual(await thresholdsOf(context), [100]);
  },
  "a low balance writes one notice until what is posted is at the amount again": async (context) => {
    await context.credit(100n);
    await charge(context, 50n, low);
    deepEqual(await lowOf(context), []);
    await charge(context, 10n, low);
    deepEqual(await lowOf(context), [[40n, 50n]]);
    await context.credit(9n);
    await charge(context, 1n, low);
    deepEqual(await lowOf(context), []);
    await context.credit(2n);
    await charge(context, 1n, low);
    deepEqual(await lowOf(context), [[49n, 50n]]);
  },
  "running holds neither write nor suppress a notice of a low balance": async (context) => {
    await context.credit(100n);
    const [one, other] = [await context.held(60n, low), await context.held(40n, low)];
    deepEqual(await lowOf(context), []);
    await context.settle(one, 51n);
    deepEqual(await lowOf(context), [[49n, 50n]]);
    await context.credit(1n);
    await context.settle(other, 1n);
    deepEqual(await lowOf(context), [[49n, 50n]]);
  },
  "a debit writes a notice of a low balance, by the amount of the last hold": async (context) => {
    await context.credit(100n);
    await charge(context, 1n, low);
    await charge(context, 1n, { notices: { thresholds: [], lowBalance: 60n } });
    await debit(context, 38n);
    deepEqual(await lowOf(context), []);
    await debit(context, 1n);
    deepEqual(await lowOf(context), [[59n, 60n]]);
    await debit(context, 1n);
    deepEqual(await lowOf(context), []);
  },
  "a late charge below what the expiry charged allows the next notice": async (context) => {
    await context.credit(100n);
    const late = await context.held(60n, low);
    await context.store.renew([{ id: late, account: context.account, used: 60n }], 20);
    await context.wait(40);
    await context.store.expire();
    deepEqual(await lowOf(context), [[40n, 50n]]);
    await context.settle(late, 50n);
    await debit(context, 1n);
    deepEqual(await lowOf(context), [[49n, 50n]]);
  },
  "a lower amount allows the next notice at once": async (context) => {
    await context.credit(100n);
    await charge(context, 60n, low);
    deepEqual(await lowOf(context), [[40n, 50n]]);
    const lower = { notices: { thresholds: [], lowBalance: 30n } };
    await charge(context, 1n, lower);
    await charge(context, 10n, lower);
    deepEqual(await lowOf(context), [[29n, 30n]]);
  },
  "a hold without rules and a refused hold write none": async (context) => {
    await context.credit(100n);
    await charge(context, 90n, { spend: { account: limit } });
    equal((await context.hold(11n, limited)).outcome, "insufficient");
    equal(
      (await context.hold(10n, { ...limited, spend: { account: { ...limit, limit: 99n } } })).outcome,
      "spend_limit",
    );
    deepEqual(await claimed(context), []);
  },
  "parallel charges write each threshold and a low balance once": async (context) => {
    await context.credit(10_000n);
    await callConcurrently(context, 100, async (client) => {
      const notices = { thresholds, lowBalance: 9_950n };
      const request = holdRequest(context.account, 1n, { ...limited, notices });
      await client.hold(request);
      await client.settle(request, 1n, chargeReceipt());
    });
    const notices = await claimed(context);
    deepEqual(stepsOf(notices).sort(), [100, 50, 80]);
    deepEqual(
      notices.filter(({ type }) => type === "balance.low").map((notice) => "below" in notice && notice.below),
      [9_950n],
    );
  },
  "concurrent claims take different notices": async (context) => {
    await writeThree(context);
    const claims = await callConcurrently(context, 6, (client) => client.claimNotices({ limit: 1, leaseMs: 60_000 }));
    const ids = claims.flat().map(({ id }) => id);
    equal(new Set(ids).size, ids.length);
    equal(ids.length + (await claimed(context)).length, 3);
  },
  "a claim takes the oldest notices up to its limit": async (context) => {
    await writeThree(context);
    const [first, second] = [await context.store.claimNotices({ limit: 2, leaseMs: 60_000 }), await claimed(context)];
    deepEqual(stepsOf(first), [50, 80]);
    deepEqual(stepsOf(second), [100]);
  },
  "a claimed notice is due again after its lease, and a finished one never": async (context) => {
    await writeThree(context);
    const [one, two, three] = await claimed(context, 20);
    await context.store.finishNotice(one?.id ?? "");
    await context.store.finishNotice(one?.id ?? "");
    await context.store.postponeNotice(two?.id ?? "", { delayMs: 60_000, delivered: [] });
    await context.wait(40);
    deepEqual(
      (await claimed(context)).map(({ id, attempts }) => [id, attempts]),
      [[three?.id, 1]],
    );
  },
  "notices wait until they are finished, also while they are claimed or postponed": async (context) => {
    const others = await writeThree(context);
    const [one, two, three] = await context.store.claimNotices({ limit: 3, leaseMs: 60_000 });
    await context.store.postponeNotice(one?.id ?? "", { delayMs: 60_000, delivered: [] });
    const waiting = await context.store.waitingNotices();
    equal(waiting.count, others + 3);
    equal(waiting.oldestAt !== undefined && waiting.oldestAt <= new Date(), true);
    for (const notice of [one, two, three]) await context.store.finishNotice(notice?.id ?? "");
    equal((await context.store.waitingNotices()).count, others);
  },
  "a postponed notice is due after its delay, with the endpoints that accepted it": async (context) => {
    await writeThree(context);
    const [one] = await claimed(context);
    const delivered = ["audit", "billing"];
    await context.store.postponeNotice(one?.id ?? "", { delayMs: 20, delivered });
    await context.wait(40);
    deepEqual(await claimed(context), [{ ...one, attempts: 1, delivered }]);
  },
};

async function charge(context: NoticeContext, amount: bigint, overrides: Partial<HoldRequest>): Promise<void> {
  equal(await context.settle(await context.held(amount, overrides), amount), "ended");
}

async function debit({ store, account }: NoticeContext, amount: bigint): Promise<void> {
  await store.debit({ id: crypto.randomUUID(), account, amount, reason: "correction" });
}

/** Claims the notices of a low balance: what is posted, and the amount. */
async function lowOf(context: NoticeContext): Promise<bigint[][]> {
  const notices = await claimed(context);
  return notices.flatMap((notice) => (notice.type === "balance.low" ? [[notice.posted, notice.below]] : []));
}

/** Claims the due notices of limits and low balances. */
async function claimed(context: NoticeContext, leaseMs?: number): Promise<readonly Notice[]> {
  const notices = await claimAll(context, leaseMs);
  return notices.filter(({ type }) => type === "spend.threshold" || type === "balance.low");
}

async function thresholdsOf(context: NoticeContext): Promise<number[]> {
  return stepsOf(await claimed(context));
}

function stepsOf(notices: readonly Notice[]): number[] {
  return notices.flatMap((notice) => (notice.type === "spend.threshold" ? [notice.threshold] : []));
}

/** Writes three notices, and returns how many others wait. */
async function writeThree(context: NoticeContext): Promise<number> {
  await context.credit(1_000n);
  // Finishes those of the credit and of earlier cases, so that a claim of one finds those of this case.
  for (const { id } of await claimAll(context)) await context.store.finishNotice(id);
  const { count } = await context.store.waitingNotices();
  await charge(context, 100n, limited);
  return count;
}
