import { deepEqual, equal } from "node:assert/strict";
import type { ChargeReceipt, Receipt } from "@tollgate/core/store";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { type BalanceContext, chargeReceipt, holdRequest } from "./context.ts";
import { expiredHold } from "./expired-hold.ts";

const holdReceipt = { requestId: "req-7", model: "fast", dialect: "chat" as const };
const known = { ...holdReceipt, keyId: "key-1" };

/** The cases of receipts. */
export const receiptCases: Cases<BalanceContext> = {
  "a charge has the receipt of its hold and of its settlement": async (context) => {
    await context.credit(100n);
    const id = await context.held(50n, { receipt: holdReceipt });
    await context.settle(id, 20n, chargeReceipt());
    await expectLast(context, { ...known, charge: chargeReceipt() });
  },
  "a receipt has the id of the answer": async (context) => {
    await context.credit(100n);
    const charge = chargeReceipt({ answerId: "chatcmpl-1" });
    await context.settle(await context.held(50n, { receipt: holdReceipt }), 20n, charge);
    await expectLast(context, { ...known, charge });
  },
  "the id of an answer selects the charges of the account that have it": async (context) => {
    const { store, account } = context;
    await context.credit(100n);
    for (const [amount, answerId] of [[1n, "chatcmpl-1"], [2n, "chatcmpl-2"], [3n, "chatcmpl-1"], [4n]] as const) {
      await context.settle(await context.held(5n), amount, chargeReceipt(answerId === undefined ? {} : { answerId }));
    }
    const amountsOf = async (answerId: string, of = account) =>
      (await store.entries({ account: of, limit: 10, answerId, newestFirst: true })).entries.map(
        ({ amount }) => amount,
      );
    deepEqual(await amountsOf("chatcmpl-1"), [-3n, -1n]);
    deepEqual(await amountsOf("chatcmpl-2"), [-2n]);
    deepEqual(await amountsOf("chatcmpl-1", `${account}-other`), []);
    deepEqual(await amountsOf("chatcmpl-3"), []);
  },
  "an expiry has the receipt of its hold": async (context) => {
    await expired(context);
    await expectLast(context, known);
  },
  "a late settlement has a receipt of its own": async (context) => {
    const id = await expired(context);
    const charge = chargeReceipt({ basis: "estimated", status: "client_gone" });
    await context.settle(id, 45n, charge);
    await expectLast(context, { ...known, charge });
    deepEqual((await context.ledger()).at(-2)?.receipt, known);
  },
  "a refund by a late settlement has a receipt": async (context) => {
    const id = await expired(context);
    const charge = chargeReceipt({ basis: "estimated", status: "refused" });
    await context.settle(id, 0n, charge);
    await expectLast(context, { ...known, charge });
  },
  "a repeated settlement keeps the first receipt": async (context) => {
    await context.credit(100n);
    const id = await context.held(50n, { receipt: holdReceipt });
    await context.settle(id, 20n, chargeReceipt());
    equal(await context.settle(id, 20n, chargeReceipt({ status: "drained" })), "repeated");
    await expectLast(context, { ...known, charge: chargeReceipt() });
  },
  "a repeated hold keeps the first receipt": async (context) => {
    await context.credit(100n);
    const id = await context.held(50n, { receipt: holdReceipt });
    await context.held(50n, { id, receipt: { ...holdReceipt, requestId: "req-8" } });
    await context.settle(id, 20n, chargeReceipt());
    await expectLast(context, { ...known, charge: chargeReceipt() });
  },
  "credits and debits have no receipt": async (context) => {
    await context.credit(100n);
    await context.store.debit({ id: crypto.randomUUID(), account: context.account, amount: 5n, reason: "fee" });
    for (const entry of await context.ledger()) equal("receipt" in entry, false);
  },
  "concurrent charges of one account have their own receipts": async (context) => {
    await context.credit(1_000n);
    const charges = await callConcurrently(context, 60, async (client, at) => {
      const receipt = { ...holdReceipt, requestId: `req-${at}`, model: `model-${at}` };
      const keyId = `key-${at % 3}`;
      const request = holdRequest(context.account, 10n, { keyId, receipt });
      equal((await client.hold(request)).outcome, "held");
      const charge = numberedCharge(at);
      await (at % 2 === 0 ? context.peer : context.store).settle(request, 1n + BigInt(at % 10), charge);
      return [request.id, { ...receipt, keyId, charge }] as const;
    });
    const expected = new Map<string, Receipt>(charges);
    const found = (await context.ledger()).filter(({ kind }) => kind === "charge");
    equal(found.length, 60);
    for (const { reference, receipt } of found) deepEqual(receipt, expected.get(reference));
  },
};

function numberedCharge(at: number): ChargeReceipt {
  const { tokens } = chargeReceipt();
  const answer = at % 2 === 0 ? {} : { answerId: `answer-${at}` };
  return chargeReceipt({ ...answer, provider: `provider-${at}`, durationMs: at, tokens: { ...tokens, output: at } });
}

async function expectLast({ ledger }: BalanceContext, receipt: Receipt): Promise<void> {
  deepEqual((await ledger()).at(-1)?.receipt, receipt);
}

/** Credits 100 and returns the id of a hold of 50 that has expired with a use of 30. */
async function expired(context: BalanceContext): Promise<string> {
  await context.credit(100n);
  return expiredHold(context, 50n, 30n, { receipt: holdReceipt });
}
