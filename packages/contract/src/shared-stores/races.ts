import { deepEqual, equal } from "node:assert/strict";
import { holdRequest } from "../balance-store/context.ts";
import { crowd, tally } from "../crowd.ts";
import type { Cases } from "../suite.ts";
import type { SharedContext } from "./context.ts";

/** What holds when holds meet a change of what they are checked against. */
export const raceCases: Cases<SharedContext> = {
  "no hold is granted once a revocation has answered": async (context) => {
    const { books, store } = context;
    const keyId = await context.issue();
    let heldAtRevocation = 0n;
    const answers = await crowd(context, 51, async (client, at) => {
      if (at !== 25) return client.balances.hold(holdRequest(books.account, 1n, { keyId }));
      await client.keys.revoke(keyId);
      heldAtRevocation = (await client.balances.balance(books.account)).held;
      return client.balances.hold(holdRequest(books.account, 1n, { keyId }));
    });
    const { held = 0, key_refused: refused = 0 } = tally(answers);
    equal(held + refused, 51);
    equal(answers[25]?.outcome, "key_refused");
    equal((await store.balances.balance(books.account)).held, heldAtRevocation);
    await books.expectBalance(1_000n, BigInt(held));
  },
  "a hundred parallel holds on a balance worth ten give exactly ten": async (context) => {
    const { account } = context.books;
    const keyId = await context.issue();
    await context.store.terms.accept(account, "v1");
    const answers = await crowd(context, 100, (client) =>
      client.balances.hold(holdRequest(account, 100n, { keyId, terms: ["v1"] })),
    );
    deepEqual(tally(answers), { held: 10, insufficient: 90 });
    await context.books.expectBalance(1_000n, 1_000n);
  },
  "parallel holds with good and bad keys are told apart": async (context) => {
    const { account } = context.books;
    const good = await context.issue();
    const bad = await context.issue({ account: `${account}-other` });
    const answers = await crowd(context, 40, (client, at) =>
      client.balances.hold(holdRequest(account, 1n, { keyId: at % 4 < 2 ? good : bad })),
    );
    deepEqual(
      answers.map(({ outcome }) => outcome),
      answers.map((_, at) => (at % 4 < 2 ? "held" : "key_refused")),
    );
    await context.books.expectBalance(1_000n, 20n);
  },
};
