import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { AccountContext } from "./context.ts";

const told = { requestId: "req_1", description: "Image for ann@host.example", metadata: { user: "ann" } };
const forgotten = { requestId: "req_1", description: "forgotten" };

/** Forgets until nothing is left to change, and returns how many charges were changed. */
async function forgetAll({ store, account }: AccountContext): Promise<number> {
  let changed = 0;
  for (let last = -1; last !== 0; changed += Math.max(0, last)) last = await store.forget(account);
  return changed;
}

/** The cases of `forget`. */
export const forgettingCases: Cases<AccountContext> = {
  "what the host wrote of its charges is erased, and amounts, times and reasons are kept": async (context) => {
    await context.credit(100n);
    const id = await context.held(50n, { keyId: undefined, receipt: told });
    equal((await context.store.settle({ id, account: context.account }, 20n, undefined)).outcome, "ended");
    const before = await context.ledger();
    equal(await forgetAll(context), 1);
    const after = await context.ledger();
    deepEqual(after.at(-1)?.receipt, forgotten);
    deepEqual(
      after.map(({ receipt: _, ...others }) => others),
      before.map(({ receipt: _, ...others }) => others),
    );
    equal(await context.store.forget(context.account), 0);
  },
  "a running charge is erased too": async (context) => {
    await context.credit(100n);
    const id = await context.held(50n, { keyId: undefined, receipt: told });
    equal(await forgetAll(context), 1);
    equal((await context.store.settle({ id, account: context.account }, 20n, undefined)).outcome, "ended");
    deepEqual((await context.ledger()).at(-1)?.receipt, forgotten);
  },
  "charges of calls, and those of other accounts, are kept as they are": async (context) => {
    await context.credit(100n);
    const id = await context.held(50n);
    equal((await context.store.settle({ id, account: context.account }, 20n, undefined)).outcome, "ended");
    const before = await context.ledger();
    equal(await forgetAll(context), 0);
    deepEqual(await context.ledger(), before);
    equal(await context.store.forget(`${context.account}-unknown`), 0);
  },
};
