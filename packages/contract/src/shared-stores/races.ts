import { deepEqual, equal } from "node:assert/strict";
import { holdRequest } from "../balance-store/context.ts";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** The cases of concurrent holds and changes of what they check. */
export const raceCases: Cases<SharedContext> = {
  "no hold succeeds after a revocation has returned": async (context) => {
    const { ledger, store } = context;
    const keyId = await context.issue();
    let heldAtRevocation = 0n;
    const results = await callConcurrently(context, 51, async (client, at) => {
      if (at !== 25) return client.balances.hold(holdRequest(ledger.account, 1n, { keyId }));
      await client.keys.revoke(keyId);
      heldAtRevocation = (await client.balances.balance(ledger.account)).held;
      return client.balances.hold(holdRequest(ledger.account, 1n, { keyId }));
    });
    const { held = 0, key_refused: refused = 0 } = tally(results);
    equal(held + refused, 51);
    equal(results[25]?.outcome, "key_refused");
    equal((await store.balances.balance(ledger.account)).held, heldAtRevocation);
    await ledger.expectBalance(1_000n, BigInt(held));
  },
  "exactly 10 of 100 parallel holds succeed on a balance that covers 10": async (context) => {
    const { account } = context.ledger;
    const keyId = await context.issue();
    await context.store.terms.accept(account, "v1");
    const results = await callConcurrently(context, 100, (client) =>
      client.balances.hold(holdRequest(account, 100n, { keyId, terms: ["v1"] })),
    );
    deepEqual(tally(results), { held: 10, insufficient: 90 });
    await context.ledger.expectBalance(1_000n, 1_000n);
  },
  "parallel holds with valid and invalid keys are distinguished": async (context) => {
    const { account } = context.ledger;
    const good = await context.issue();
    const bad = await context.issue({ account: `${account}-other` });
    const results = await callConcurrently(context, 40, (client, at) =>
      client.balances.hold(holdRequest(account, 1n, { keyId: at % 4 < 2 ? good : bad })),
    );
    deepEqual(
      results.map(({ outcome }) => outcome),
      results.map((_, at) => (at % 4 < 2 ? "held" : "key_refused")),
    );
    await context.ledger.expectBalance(1_000n, 20n);
  },
};
