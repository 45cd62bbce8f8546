import { deepEqual, equal } from "node:assert/strict";
import type { HostHoldReceipt, Receipt } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";
import { expiredHold } from "./expired-hold.ts";

/** The cases of charges that the host makes itself: without a key, and with a description in place of a model. */
export const hostChargeCases: Cases<BalanceContext> = {
  "a charge of the host has its description and metadata as receipt, and no key": async (context) => {
    const receipt = hostReceipt({ metadata: { order: "17", size: "1024x1024" } });
    await context.credit(100n);
    const id = await context.held(50n, { keyId: undefined, receipt });
    equal((await context.store.settle({ id, account: context.account }, 20n, undefined)).outcome, "ended");
    await expectLast(context, "charge", -20n, receipt);
    await context.expectBalance(80n, 0n);
  },
  "a charge of the host can have a key, and need not have metadata": async (context) => {
    const receipt = hostReceipt();
    await context.credit(100n);
    const id = await context.held(50n, { keyId: "key-1", receipt });
    equal((await context.store.settle({ id, account: context.account }, 20n, undefined)).outcome, "ended");
    await expectLast(context, "charge", -20n, { ...receipt, keyId: "key-1" });
  },
  "an expiry and a late settlement have the receipt too": async (context) => {
    const receipt = hostReceipt({ metadata: { minutes: "3" } });
    await context.credit(100n);
    const id = await expiredHold(context, 50n, 30n, { keyId: undefined, receipt });
    await expectLast(context, "expiry", -30n, receipt);
    equal((await context.store.settle({ id, account: context.account }, 45n, undefined)).outcome, "late");
    await expectLast(context, "late", -15n, receipt);
    equal((await context.store.settle({ id, account: context.account }, 45n, undefined)).outcome, "repeated");
  },
  "a hold without a key can be repeated, and is another than one with a key": async (context) => {
    await context.credit(100n);
    const id = crypto.randomUUID();
    const wanted = { id, keyId: undefined, receipt: hostReceipt() };
    await context.held(30n, wanted);
    await context.held(30n, wanted);
    for (const keyId of ["key-1", "", "undefined"])
      equal((await context.hold(30n, { ...wanted, keyId })).outcome, "conflict");
    await context.expectBalance(100n, 30n);
    equal(await context.release(id), "ended");
  },
  "any text is a valid description, and any text a value of metadata": async (context) => {
    const metadata = { "": "", "it's": 'quoted "text"', 日本: "𝄞\n\\", constructor: "null", key: "x".repeat(500) };
    const receipt = hostReceipt({ description: `{"a": 'b'} %_ ${"é".repeat(480)}`, metadata });
    await context.credit(100n);
    const id = await context.held(50n, { keyId: undefined, receipt });
    equal((await context.store.settle({ id, account: context.account }, 20n, undefined)).outcome, "ended");
    await expectLast(context, "charge", -20n, receipt);
  },
};

function hostReceipt(overrides: Partial<HostHoldReceipt> = {}): HostHoldReceipt {
  return { requestId: crypto.randomUUID(), description: "An image of 1024 by 1024 pixels", ...overrides };
}

async function expectLast({ ledger }: BalanceContext, kind: string, amount: bigint, receipt: Receipt): Promise<void> {
  const last = (await ledger()).at(-1);
  deepEqual([last?.kind, last?.amount], [kind, amount]);
  deepEqual(last?.receipt, receipt);
}
