import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, chargeReceipt, holdRequest } from "./context.ts";
import { pinned } from "./lapses.ts";
import { inHours } from "./lots.ts";

/** The cases of lots that several calls change at once. */
export const lotRaceCases: Cases<BalanceContext> = {
  "exactly 10 of 100 parallel holds succeed on lots that cover 10": async (context) => {
    await context.credit(250n);
    await context.lot(250n);
    await context.lot(250n, { expiresAt: inHours(1) });
    await context.lot(250n, { kind: "paid", expiresAt: inHours(2) });
    await context.lot(5_000n, { expiresAt: inHours(-1) });
    const results = await callConcurrently(context, 100, (client) => client.hold(holdRequest(context.account, 100n)));
    deepEqual(tally(results), { held: 10, insufficient: 90 });
    await context.expectBalance(1_000n, 1_000n);
  },
  "parallel settlements take each part of a lot once": async (context) => {
    const lots = [];
    for (let at = 0; at < 10; at++) lots.push(await context.lot(100n, at % 2 === 0 ? {} : { expiresAt: inHours(at) }));
    const ids = await Promise.all(Array.from({ length: 50 }, () => context.held(20n)));
    const results = await callConcurrently(context, 50, (client, at) =>
      client.settle({ id: ids[at] ?? "", account: context.account }, 19n, chargeReceipt()),
    );
    deepEqual(tally(results), { ended: 50 });
    await context.expectBalance(50n, 0n);
    const charges = (await context.ledger()).filter(({ kind }) => kind === "charge");
    const taken = charges.flatMap(({ lots = [] }) => lots).reduce((sum, { amount }) => sum + amount, 0n);
    equal(taken, 950n);
  },
  "parallel settlements and releases let all of a lot expire that they do not take": async (context) => {
    const { holds } = await pinned(
      context,
      Array.from({ length: 20 }, () => 5n),
    );
    const results = await callConcurrently(context, 20, (client, at) =>
      at % 2 === 0
        ? client.settle({ id: holds[at] ?? "", account: context.account }, 3n, chargeReceipt())
        : client.release({ id: holds[at] ?? "", account: context.account }),
    );
    deepEqual(tally(results), { ended: 20 });
    const { expiring, held, totals } = await context.store.balance(context.account);
    deepEqual([expiring, held, totals.used], [[], 0n, 30n]);
  },
  "a lot expires once, whichever calls find that its time has passed": async (context) => {
    await context.lot(100n, { expiresAt: new Date(Date.now() + 60) });
    await context.wait(80);
    await callConcurrently(context, 40, async (client, at) => {
      if (at % 4 === 0) await client.balance(context.account);
      else if (at % 4 === 1) await client.entries({ account: context.account, limit: 1 });
      else equal((await client.hold(holdRequest(context.account, 1n))).outcome, "insufficient");
    });
    await context.expectBalance(0n, 0n);
    equal((await context.ledger()).length, 2);
  },
  "parallel charges, refunds, credits and debits of lots keep the ledger consistent": async (context) => {
    await context.credit(500n);
    await context.lot(500n, { expiresAt: inHours(1) });
    await callConcurrently(context, 60, async (client, at) => {
      const { account } = context;
      const posting = { id: crypto.randomUUID(), account, amount: 10n, reason: "top-up" };
      if (at % 6 === 4) return client.credit({ ...posting, kind: "granted" });
      if (at % 6 === 5) return client.debit({ ...posting, from: "paid" });
      const request = holdRequest(account, 10n);
      equal((await client.hold(request)).outcome, "held");
      await client.settle(request, BigInt(at % 6) * 3n, chargeReceipt());
      const [charge] = (await client.entries({ account, limit: 1, reference: request.id })).entries;
      return charge && client.refund({ account, sequence: charge.sequence, amount: 2n, reason: "poor answer" });
    });
    // 10 charges each of 3, 6 and 9, of which 2 are refunded.
    await context.expectBalance(1_000n + 100n - 100n - (10n + 40n + 70n), 0n);
  },
};
