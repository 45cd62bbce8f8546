import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** What holds of a hold once it is granted: what becomes of its key no longer matters. */
export const runningCases: Cases<SharedContext> = {
  "the same id again answers held, also when the key has been revoked": async (context) => {
    const { id, keyId } = await heldThenRevoked(context);
    equal(await context.hold(keyId, { id }), "held");
    await context.books.expectBalance(1_000n, 100n);
    await context.books.settle(id, 40n);
    equal(await context.hold(keyId, { id }), "held");
    await context.books.expectBalance(960n, 0n);
  },
  "the same id again answers held, whatever terms it asks for": async ({ issue, hold, books }) => {
    const id = crypto.randomUUID();
    const keyId = await issue();
    equal(await hold(keyId, { id }), "held");
    equal(await hold(keyId, { id, terms: ["v1"] }), "held");
    await books.expectBalance(1_000n, 100n);
  },
  "the same id with other content is a conflict, whatever its key": async (context) => {
    const { id, keyId } = await heldThenRevoked(context);
    equal(await context.hold(keyId, { id, amount: 101n }), "conflict");
    equal(await context.hold(crypto.randomUUID(), { id }), "conflict");
    equal(await context.hold(await context.issue(), { id }), "conflict");
    await context.books.expectBalance(1_000n, 100n);
  },
  "it can be renewed and settled when its key has been revoked": async (context) => {
    const { id } = await heldThenRevoked(context);
    deepEqual([...(await context.store.balances.renew([{ id, used: 10n }], 60_000))], [id]);
    equal(await context.books.settle(id, 40n), "ended");
    await context.books.expectBalance(960n, 0n);
  },
  "it can be released when its key has been revoked": async (context) => {
    const { id } = await heldThenRevoked(context);
    equal(await context.books.release(id), "ended");
    await context.books.expectBalance(1_000n, 0n);
  },
  "it expires and is settled late when its key has been revoked": async (context) => {
    const { id } = await heldThenRevoked(context);
    await context.store.balances.renew([{ id, used: 30n }], 20);
    await context.wait(40);
    await context.store.balances.expire();
    await context.books.expectBalance(970n, 0n);
    equal(await context.books.settle(id, 40n), "late");
    await context.books.expectBalance(960n, 0n);
  },
};

async function heldThenRevoked({ store, issue, hold }: SharedContext): Promise<{ id: string; keyId: string }> {
  const [id, keyId] = [crypto.randomUUID(), await issue()];
  equal(await hold(keyId, { id }), "held");
  await store.keys.revoke(keyId);
  return { id, keyId };
}
