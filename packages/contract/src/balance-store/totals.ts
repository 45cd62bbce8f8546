import { deepEqual, equal } from "node:assert/strict";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, chargeReceipt, holdRequest } from "./context.ts";
import { expiredHold } from "./expired-hold.ts";
import { inHours } from "./lots.ts";

/** The cases of what was credited and used in all. */
export const totalCases: Cases<BalanceContext> = {
  "an account that was never used has totals of zero": async (context) => {
    await expectTotals(context, 0n, 0n);
    equal(await context.store.usedBy(crypto.randomUUID()), 0n);
  },
  "credits of all kinds count, less debits of paid money, and nothing else": async (context) => {
    const { store, account } = context;
    await context.credit(100n);
    await context.lot(20n);
    await context.lot(30n, { expiresAt: inHours(-1) });
    await expectTotals(context, 150n, 0n);
    const debit = { account, amount: 5n, reason: "correction" };
    await store.debit({ ...debit, id: crypto.randomUUID() });
    await store.debit({ ...debit, id: crypto.randomUUID(), from: "paid" });
    await store.debit({ ...debit, id: crypto.randomUUID(), from: "paid", amount: 1_000n });
    await expectTotals(context, 50n, 0n);
  },
  "charges of all kinds count for the account and for their keys, less refunds": async (context) => {
    const { store, account } = context;
    await context.credit(1_000n);
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const charge = await context.charge(10n, { keyId: one });
    await context.charge(20n, { keyId: other });
    await context.release(await context.held(500n, { keyId: one }));
    const expired = await expiredHold(context, 100n, 40n, { keyId: one });
    await expectTotals(context, 1_000n, 70n);
    deepEqual([await store.usedBy(one), await store.usedBy(other)], [50n, 20n]);
    equal(await context.settle(expired, 30n), "late");
    await expectTotals(context, 1_000n, 60n);
    await store.refund({ account, sequence: charge.sequence, amount: 4n, reason: "poor answer" });
    await expectTotals(context, 1_000n, 56n);
    deepEqual([await store.usedBy(one), await store.usedBy(other)], [36n, 20n]);
  },
  "a charge without a key counts for its account alone": async (context) => {
    await context.credit(100n);
    const receipt = { requestId: crypto.randomUUID(), description: "An image" };
    const id = await context.held(30n, { keyId: undefined, receipt });
    equal((await context.store.settle({ id, account: context.account }, 20n, undefined)).outcome, "ended");
    await expectTotals(context, 100n, 20n);
    equal(await context.store.usedBy("undefined"), 0n);
  },
  "parallel charges of two keys are all counted": async (context) => {
    await context.credit(10_000n);
    const keys = [crypto.randomUUID(), crypto.randomUUID()] as const;
    await callConcurrently(context, 60, async (client, at) => {
      const request = holdRequest(context.account, 10n, { keyId: keys[at % 3 === 0 ? 0 : 1] });
      equal((await client.hold(request)).outcome, "held");
      equal((await client.settle(request, BigInt(at), chargeReceipt())).outcome, "ended");
    });
    await expectTotals(context, 10_000n, 1_770n);
    deepEqual(await Promise.all(keys.map(async (key) => context.store.usedBy(key))), [570n, 1_200n]);
  },
};

async function expectTotals({ store, account }: BalanceContext, credited: bigint, used: bigint): Promise<void> {
  deepEqual((await store.balance(account)).totals, { credited, used });
}
