import { deepEqual, equal } from "node:assert/strict";
import type { BalanceStore, HoldRequest, Notice, NoticeOutbox, SpendLimit } from "@tollgate/core/store";
import { type BalanceContext, holdRequest } from "../balance-store/context.ts";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases, OpenedWithDefaults } from "../suite.ts";

type NoticeContext = BalanceContext & OpenedWithDefaults<BalanceStore & NoticeOutbox>;

const limit: SpendLimit = { limit: 100n, window: "total" };
const thresholds = [50, 80, 100];
const limited: Partial<HoldRequest> = { spend: { account: limit }, notices: { thresholds } };
const low: Partial<HoldRequest> = { notices: { thresholds: [], lowBalance: 50n } };

/** The cases of the outbox. */
export const noticeCases: Cases<NoticeContext> = {
  "each threshold that a hold reaches writes one notice": async (context) => {
    await context.credit(1_000n);
    await context.held(49n, limited);
    deepEqual(await thresholdsOf(context), []);
    await context.held(1n, limited);
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
    const last = await context.held(50n, limited);
    deepEqual(await thresholdsOf(context), [80, 100]);
    await context.release(last);
    await context.held(50n, limited);
    deepEqual(await thresholdsOf(context), []);
  },
  "a key's limit writes notices of its own, with the end of the window": async (context) => {
    await context.credit(1_000n);
    const keyId = crypto.randomUUID();
    const key: SpendLimit = { limit: 10n, window: "month", timezone: "Europe/Berlin" };
    await context.held(9n, { keyId, spend: { account: limit, key }, notices: { thresholds } });
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
  "a charge above its hold and a late charge write notices": async (context) => {
    await context.credit(1_000n);
    const id = await context.held(40n, limited);
    await context.settle(id, 60n);
    deepEqual(await thresholdsOf(context), [50]);
    const late = await context.held(10n, limited);
    await context.store.renew([{ id: late, used: 0n }], 20);
    await context.wait(40);
    await context.store.expire();
    await context.settle(late, 25n);
    deepEqual(await thresholdsOf(context), [80]);
  },
  "a low balance writes one notice until a credit reaches the amount": async (context) => {
    await context.credit(100n);
    const first = await context.held(60n, low);
    const [notice] = await claimed(context);
    equal(notice?.type === "balance.low" && notice.available === 40n && notice.below === 50n, true);
    await context.release(first);
    await context.held(60n, low);
    deepEqual(await claimed(context), []);
    await context.credit(5n);
    await context.held(1n, low);
    deepEqual(await claimed(context), []);
    await context.credit(6n);
    await context.held(1n, low);
    equal((await claimed(context)).length, 1);
  },
  "a hold without rules and a refused hold write none": async (context) => {
    await context.credit(100n);
    await context.held(90n, { spend: { account: limit } });
    equal((await context.hold(11n, limited)).outcome, "insufficient");
    equal(
      (await context.hold(10n, { ...limited, spend: { account: { ...limit, limit: 99n } } })).outcome,
      "spend_limit",
    );
    deepEqual(await claimed(context), []);
  },
  "parallel holds write each threshold once": async (context) => {
    await context.credit(10_000n);
    await callConcurrently(context, 100, (client) => client.hold(holdRequest(context.account, 1n, limited)));
    deepEqual((await thresholdsOf(context)).sort(), [100, 50, 80]);
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
    const { count: others } = await context.store.waitingNotices();
    await writeThree(context);
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

/** Claims the due notices of the account, in order, and finishes those of other cases. */
async function claimed({ store, account }: NoticeContext, leaseMs = 60_000): Promise<readonly Notice[]> {
  const notices = await store.claimNotices({ limit: 1_000, leaseMs });
  for (const notice of notices) if (notice.account !== account) await store.finishNotice(notice.id);
  return notices.filter((notice) => notice.account === account);
}

async function thresholdsOf(context: NoticeContext): Promise<number[]> {
  return stepsOf(await claimed(context));
}

function stepsOf(notices: readonly Notice[]): number[] {
  return notices.flatMap((notice) => (notice.type === "spend.threshold" ? [notice.threshold] : []));
}

async function writeThree(context: NoticeContext): Promise<void> {
  // Finishes those of earlier cases, so that a claim of one finds those of this case.
  await claimed(context);
  await context.credit(1_000n);
  await context.held(100n, limited);
}
