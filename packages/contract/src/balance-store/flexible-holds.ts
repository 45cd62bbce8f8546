import { deepEqual, equal, rejects } from "node:assert/strict";
import type { HoldRequest, HoldResult } from "@tollgate/core/store";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, holdRequest } from "./context.ts";

/** The cases of a `hold` that may take less than its amount. */
export const flexibleHoldCases: Cases<BalanceContext> = {
  "a flexible hold takes its amount when that is a quarter of the balance or less": async (context) => {
    await context.credit(400n);
    equal(taken(await context.hold(100n, between(5n, 20n))), 100n);
    await context.expectBalance(400n, 100n);
  },
  "a flexible hold takes a quarter of what is available, and not less than its floor": async (context) => {
    await context.credit(403n);
    equal(taken(await context.hold(1_000n, between(5n, 20n))), 100n);
    equal(taken(await context.hold(1_000n, between(5n, 20n))), 75n);
    equal(taken(await context.hold(1_000n, between(5n, 90n))), 90n);
    await context.expectBalance(403n, 265n);
  },
  "a flexible hold takes all that is left when that is less than its floor, and not less than its least": async (
    context,
  ) => {
    await context.credit(15n);
    equal(taken(await context.hold(1_000n, between(15n, 20n))), 15n);
    await context.credit(14n);
    deepEqual(await context.hold(1_000n, between(15n, 20n)), {
      outcome: "insufficient",
      balance: { posted: 29n, held: 15n, available: 14n },
    });
    await context.expectBalance(29n, 15n);
  },
  "a flexible hold of zero succeeds on a balance of zero, and not on a negative one": async (context) => {
    equal(taken(await context.hold(0n, between(0n, 0n))), 0n);
    await context.store.debit({ id: crypto.randomUUID(), account: context.account, amount: 1n, reason: "correction" });
    equal((await context.hold(0n, between(0n, 0n))).outcome, "insufficient");
  },
  "a repeated flexible hold returns what the first took, and its cost after it was settled": async (context) => {
    await context.credit(400n);
    const id = crypto.randomUUID();
    equal(taken(await context.hold(1_000n, { id, ...between(5n, 20n) })), 100n);
    await context.credit(4_000n);
    equal(taken(await context.hold(1_000n, { id, ...between(5n, 20n) })), 100n);
    await context.expectBalance(4_400n, 100n);
    await context.settle(id, 60n);
    deepEqual(await context.hold(1_000n, { id, ...between(5n, 20n) }), { outcome: "ended", cost: 60n });
    await context.expectBalance(4_340n, 0n);
  },
  "the same id with other amounts is a conflict": async (context) => {
    await context.credit(400n);
    const id = crypto.randomUUID();
    await context.held(1_000n, { id, ...between(5n, 20n) });
    const others: Partial<HoldRequest>[] = [
      { amount: 1_001n },
      between(6n, 20n),
      between(5n, 21n),
      { flexible: undefined },
      { amount: 100n, flexible: undefined },
    ];
    for (const other of others) {
      equal((await context.hold(1_000n, { id, ...between(5n, 20n), ...other })).outcome, "conflict");
    }
    await context.expectBalance(400n, 100n);
  },
  "amounts of a flexible hold that are negative or in another order throw and have no effect": async (context) => {
    await context.credit(5n);
    await rejects(context.hold(1n, between(-1n, 1n)));
    await rejects(context.hold(1n, between(1n, 0n)));
    await rejects(context.hold(1n, between(1n, 2n)));
    await context.expectBalance(5n, 0n);
  },
  "parallel flexible holds each take a part of what those before left": async (context) => {
    await context.credit(1_000n);
    const results = await callConcurrently(context, 20, (client) =>
      client.hold(holdRequest(context.account, 1_000_000n, between(10n, 40n))),
    );
    // In whatever order they come: a quarter of the rest while that is more than 40, then 40, then the rest.
    const wanted = [250n, 187n, 140n, 105n, 79n, 59n, 45n, 40n, 40n, 40n, 15n];
    deepEqual(results.map(taken).filter(isTaken).sort(descending), wanted);
    deepEqual(tally(results), { held: 11, insufficient: 9 });
    await context.expectBalance(1_000n, 1_000n);
  },
  "parallel holds, flexible or not, and settlements never hold more than there is": async (context) => {
    await context.credit(10_000n);
    const charges = await callConcurrently(context, 90, async (client, at) => {
      const request = holdRequest(context.account, BigInt(300 + at), at % 3 === 0 ? {} : between(50n, 100n));
      const result = await client.hold(request);
      if (result.outcome !== "held") return 0n;
      equal(result.amount <= request.amount && result.amount >= (request.flexible?.least ?? request.amount), true);
      equal(result.balance.posted - result.balance.held >= 0n, true);
      if (at % 2 === 0) return 0n;
      const charge = result.amount / 2n;
      await context.settle(request.id, charge);
      return charge;
    });
    const sum = charges.reduce((total, charge) => total + charge, 0n);
    const { posted, available } = await context.store.balance(context.account);
    equal(posted, 10_000n - sum);
    equal(available >= 0n, true);
  },
};

const between = (least: bigint, floor: bigint): Partial<HoldRequest> => ({ flexible: { least, floor } });

const taken = (result: HoldResult): bigint | undefined => (result.outcome === "held" ? result.amount : undefined);

const isTaken = (amount: bigint | undefined): amount is bigint => amount !== undefined;

const descending = (a: bigint, b: bigint): number => Number(b - a);
