import { deepEqual, equal } from "node:assert/strict";
import type { HoldRequest, TokenCap } from "@tollgate/core/store";
import { holdRequest } from "../balance-store/context.ts";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type AccountContext, inTotal } from "./context.ts";

/** The cases of holds that are placed with a token, which has a cap of its own. */
export const tokenCapCases: Cases<AccountContext> = {
  "exactly 10 of 100 parallel holds succeed on a cap for 10, and those of another token are not counted": async (
    context,
  ) => {
    await context.credit(100_000n);
    const [token, other] = [capped(1_000n), capped(1_000n)];
    const results = await callConcurrently(context, 110, (client, at) =>
      client.hold(holdRequest(context.account, 100n, withCap(at < 100 ? token : other))),
    );
    deepEqual(tally(results), { held: 20, spend_limit: 90 });
    equal(await spentOf(context, token), 1_000n);
    equal(await spentOf(context, other), 1_000n);
  },
  "the cap of a token is within the limits of its account and its key, which count all tokens together": async (
    context,
  ) => {
    await context.credit(1_000n);
    const keyId = crypto.randomUUID();
    const token = capped(40n);
    const spend = { account: inTotal(100n), key: inTotal(60n) };
    const holdOf = (amount: bigint, cap: TokenCap) => context.hold(amount, { keyId, spend: { ...spend, token: cap } });
    equal((await holdOf(30n, token)).outcome, "held");
    deepEqual(await holdOf(11n, token), {
      outcome: "spend_limit",
      scope: "token",
      limit: inTotal(40n),
      spent: 30n,
    });
    deepEqual(await holdOf(31n, capped(100n)), {
      outcome: "spend_limit",
      scope: "key",
      limit: inTotal(60n),
      spent: 30n,
    });
    deepEqual(
      (await context.store.spendOf([{ scope: "key", id: keyId, limit: inTotal(60n) }])).map(({ spent }) => spent),
      [30n],
    );
  },
  "a flexible hold takes what the cap leaves": async (context) => {
    await context.credit(1_000n);
    const token = capped(90n);
    const flexible = { least: 5n, floor: 60n };
    const first = await context.hold(500n, { ...withCap(token), flexible });
    const second = await context.hold(500n, { ...withCap(token), flexible });
    deepEqual(
      [first, second].map((result) => result.outcome === "held" && result.amount),
      [60n, 30n],
    );
    equal((await context.hold(500n, { ...withCap(token), flexible })).outcome, "spend_limit");
  },
  "what holds cost is counted: settled, released, expired, and settled late; a refund does not raise the cap": async (
    context,
  ) => {
    await context.credit(1_000n);
    const token = capped(500n);
    const settled = await context.held(100n, withCap(token));
    const released = await context.held(100n, withCap(token));
    const expired = await context.held(100n, { ...withCap(token), leaseMs: 0 });
    equal(await spentOf(context, token), 300n);
    await context.settle(settled, 70n);
    await context.release(released);
    await context.store.renew([{ id: expired, account: context.account, used: 20n }], 0);
    while ((await spentOf(context, token)) !== 90n) await context.store.expire();
    equal(await context.settle(expired, 50n), "late");
    equal(await spentOf(context, token), 120n);
    const { entries } = await context.store.entries({ account: context.account, limit: 1, reference: settled });
    const refund = { account: context.account, sequence: entries[0]?.sequence ?? 0n, reason: "poor answer" };
    equal((await context.store.refund(refund)).outcome, "posted");
    equal(await spentOf(context, token), 120n);
  },
  "a hold of a token and one of a key share no counter, also with the same id": async (context) => {
    await context.credit(1_000n);
    const token = capped(100n);
    await context.held(60n, withCap(token));
    await context.held(60n, { keyId: token.id, spend: { key: inTotal(100n) } });
    equal(await spentOf(context, token), 60n);
  },
  "the counter is removed some time after the token has expired, and its holds still end": async (context) => {
    await context.credit(1_000n);
    const [old, young] = [capped(100n, -2 * hourMs), capped(100n, -hourMs / 2)];
    const hold = await context.held(60n, withCap(old));
    await context.held(60n, withCap(young));
    while ((await spentOf(context, old)) !== 0n) await context.store.expire();
    equal(await spentOf(context, young), 60n);
    equal(await context.settle(hold, 30n), "ended");
    await context.expectBalance(970n, 60n);
  },
};

const hourMs = 3_600_000;

const capped = (limit: bigint, expiresInMs = hourMs): TokenCap => ({
  id: crypto.randomUUID(),
  limit,
  expiresAt: new Date(Date.now() + expiresInMs),
});

const withCap = (token: TokenCap): Partial<HoldRequest> => ({ spend: { token } });

async function spentOf({ store }: AccountContext, { id, limit, expiresAt }: TokenCap): Promise<bigint | undefined> {
  const [state] = await store.spendOf([{ scope: "token", id, limit: inTotal(limit), expiresAt }]);
  return state?.spent;
}
