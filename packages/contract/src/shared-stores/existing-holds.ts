import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** The cases of existing holds, which do not depend on the state of their key. */
export const existingHoldCases: Cases<SharedContext> = {
  "a repeated hold returns held or ended, even after the key was revoked": async (context) => {
    const { id, keyId } = await heldThenRevoked(context);
    equal(await context.hold(keyId, { id }), "held");
    await context.ledger.expectBalance(1_000n, 100n);
    await context.ledger.settle(id, 40n);
    equal(await context.hold(keyId, { id }), "ended");
    await context.ledger.expectBalance(960n, 0n);
  },
  "a repeated hold returns held, whatever terms it requires": async ({ issue, hold, ledger }) => {
    const id = crypto.randomUUID();
    const keyId = await issue();
    equal(await hold(keyId, { id }), "held");
    equal(await hold(keyId, { id, terms: ["v1"] }), "held");
    await ledger.expectBalance(1_000n, 100n);
  },
  "the same id with different content is a conflict, whatever its key": async (context) => {
    const { id, keyId } = await heldThenRevoked(context);
    equal(await context.hold(keyId, { id, amount: 101n }), "conflict");
    equal(await context.hold(crypto.randomUUID(), { id }), "conflict");
    equal(await context.hold(await context.issue(), { id }), "conflict");
    await context.ledger.expectBalance(1_000n, 100n);
  },
  "a hold can be renewed and settled after its key was revoked": async (context) => {
    const { id } = await heldThenRevoked(context);
    deepEqual(
      [...(await context.store.balances.renew([{ id, account: context.ledger.account, used: 10n }], 60_000))],
      [id],
    );
    equal(await context.ledger.settle(id, 40n), "ended");
    await context.ledger.expectBalance(960n, 0n);
  },
  "a hold can be released after its key was revoked": async (context) => {
    const { id } = await heldThenRevoked(context);
    equal(await context.ledger.release(id), "ended");
    await context.ledger.expectBalance(1_000n, 0n);
  },
  "a hold can expire and be settled late after its key was revoked": async (context) => {
    const { id } = await heldThenRevoked(context);
    await context.store.balances.renew([{ id, account: context.ledger.account, used: 30n }], 20);
    await context.wait(40);
    await context.store.balances.expire();
    await context.ledger.expectBalance(970n, 0n);
    equal(await context.ledger.settle(id, 40n), "late");
    await context.ledger.expectBalance(960n, 0n);
  },
};

async function heldThenRevoked({ store, issue, hold }: SharedContext): Promise<{ id: string; keyId: string }> {
  const [id, keyId] = [crypto.randomUUID(), await issue()];
  equal(await hold(keyId, { id }), "held");
  await store.keys.revoke(keyId);
  return { id, keyId };
}
