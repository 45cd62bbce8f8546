import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { type AccountContext, inTotal } from "./context.ts";

/** The cases of accounts and their limits. */
export const accountCases: Cases<AccountContext> = {
  "an account that was never used is not found": async ({ store, account, hold }) => {
    equal(await store.findAccount(account), undefined);
    equal((await hold(5n)).outcome, "insufficient");
    equal(await store.findAccount(account), undefined);
    deepEqual([...(await store.listAccounts({ limit: 10, prefix: account })).accounts], []);
  },
  "an account has its balance, and its limit while it has one": async ({ store, account, credit, held }) => {
    await credit(100n);
    await held(30n);
    const known = { id: account, balance: { posted: 100n, held: 30n, available: 70n } };
    deepEqual(await store.findAccount(account), known);
    const spendLimit = { limit: 9_007_199_254_740_993n, window: "week", timezone: "Europe/Berlin" } as const;
    await store.limitSpend(account, spendLimit);
    deepEqual(await store.findAccount(account), { ...known, spendLimit });
    await store.limitSpend(account, inTotal(0n));
    deepEqual(await store.findAccount(account), { ...known, spendLimit: inTotal(0n) });
    await store.limitSpend(account, undefined);
    deepEqual(await store.findAccount(account), known);
  },
  "a new account can get a limit": async ({ store, account }) => {
    await store.limitSpend(account, inTotal(5n));
    const balance = { posted: 0n, held: 0n, available: 0n };
    deepEqual(await store.findAccount(account), { id: account, balance, spendLimit: inTotal(5n) });
  },
  "an invalid limit throws": async ({ store, account }) => {
    for (const limit of [inTotal(-1n), { limit: 1n, window: "day", timezone: "Mars/Base" } as const]) {
      await rejects(async () => store.limitSpend(account, limit), RangeError);
    }
    equal(await store.findAccount(account), undefined);
  },
  "a limit can be a decimal string, and no number": async ({ store, account }) => {
    await store.limitSpend(account, { limit: "5.00", window: "total" });
    deepEqual((await store.findAccount(account))?.spendLimit, inTotal(5_000_000_000n));
    const limit = Object.assign({ ...inTotal(5n) }, { limit: 5 });
    await rejects(async () => store.limitSpend(account, limit), { name: "RangeError", message: /parseAmount/ });
  },
  "a missing account or a misspelt filter throws": async ({ store, account }) => {
    await rejects(async () => store.findAccount(""), { name: "RangeError", message: /`account` must be a string/ });
    await rejects(async () => store.limitSpend("", undefined), RangeError);
    const query = Object.assign({ limit: 1 }, { prefx: account });
    await rejects(async () => store.listAccounts(query), { name: "RangeError", message: /Did you mean prefix\?/ });
  },
  "accounts are listed in the order of their bytes, in pages and by prefix": async ({ store, account }) => {
    // In UTF-16, the last one would come before the one before it.
    const ids = ["10", "9", "A", "a", "%", "é", "\uFF5E", "𝄞"].map((end) => `${account}_${end}`);
    for (const id of [...ids, `x${account}`])
      await store.credit({ id: `credit ${id}`, account: id, amount: 1n, reason: "x" });
    const listed: string[] = [];
    for (let after: string | undefined; listed.length < 20; ) {
      const page = await store.listAccounts({
        limit: 4,
        prefix: `${account}_`,
        ...(after === undefined ? {} : { after }),
      });
      listed.push(...page.accounts.map(({ id }) => id));
      after = page.next;
      if (after === undefined) break;
    }
    deepEqual(
      listed,
      ["%", "10", "9", "A", "a", "é", "\uFF5E", "𝄞"].map((end) => `${account}_${end}`),
    );
  },
};
