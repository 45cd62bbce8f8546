import { describe, expect, it } from "vitest";
import { chargeReceipt, plainHold } from "../../test-support/receipts.ts";
import type { MemoryAccount } from "./memory-accounts.ts";
import { MemoryHolds } from "./memory-holds.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import { MemoryNotices } from "./memory-notices.ts";
import { MemoryPostings } from "./memory-postings.ts";
import { MemorySpend } from "./memory-spend.ts";
import { verifyMemoryLedger } from "./verify-memory-ledger.ts";

/** Returns the account "a" after a credit of 1,000, a debit of 200 in paid money, a charge of 70, a refund of 20 and a hold of 100. */
function usedLedger(keepEntries: number) {
  const notices = new MemoryNotices();
  const ledger = new MemoryLedger(keepEntries, notices);
  const holds = new MemoryHolds(ledger, new MemorySpend(), notices, 10);
  const postings = new MemoryPostings(ledger, notices, 10);
  const common = { account: "a", reason: "test" };
  postings.credit({ ...common, id: "paid", amount: 900n });
  postings.credit({ ...common, id: "granted", amount: 100n, kind: "granted" });
  postings.debit({ ...common, id: "returned", amount: 200n, from: "paid" });
  const hold = { account: "a", keyId: "k", amount: 100n, leaseMs: 60_000, ...plainHold };
  holds.hold({ ...hold, id: "settled" });
  holds.settle({ id: "settled", account: "a" }, 70n, chargeReceipt);
  const sequence = BigInt(ledger.accounts.open("a").entries.at(-1)?.sequence ?? 0);
  postings.refund({ ...common, sequence, amount: 20n });
  holds.hold({ ...hold, id: "pending" });
  return { ledger, holds, account: ledger.accounts.open("a"), usedByKey: new Map(ledger.usedByKey) };
}

type Used = ReturnType<typeof usedLedger>;

const problemsOf = ({ ledger, holds, usedByKey }: Used) =>
  verifyMemoryLedger(ledger.accounts.all(), holds.pending(), usedByKey).map(({ problem }) => problem);

const change = (by: (account: MemoryAccount) => void) => (used: Used) => by(used.account);

/** Changes that bypass the store, and the problems that are found. */
const faults: Readonly<Record<string, readonly [fault: (used: Used) => void, problems: readonly string[]]>> = {
  "a balance that was increased": [
    change((account) => {
      account.posted += 1n;
      account.funded += 1n;
    }),
    ["Account a has 751 posted, but its entries sum to 750."],
  ],
  "a hold that is counted twice": [
    change((account) => {
      account.held += 100n;
    }),
    ["Account a has 200 held, but its pending holds sum to 100."],
  ],
  "a total of credits that was increased": [
    change((account) => {
      account.credited += 1n;
    }),
    ["Account a has 801 credited, but its entries sum to 800."],
  ],
  "a total of charges that was decreased": [
    change((account) => {
      account.funded -= 1n;
    }),
    ["Account a has 49 used, but its entries sum to 50."],
  ],
  "a missing lot": [
    change((account) => {
      account.lots = undefined;
    }),
    ["Lot granted of account a has 0 left, but its entries leave 50."],
  ],
  "a missing entry": [
    change(({ entries }) => void entries.splice(3, 1)),
    [
      "Account a has 750 posted, but its entries sum to 820.",
      "Account a has 50 used, but its entries sum to -20.",
      "Lot granted of account a has 50 left, but its entries leave 120.",
      "Key k has 50 used, but its entries sum to -20.",
    ],
  ],
  "the usage of a key that was increased": [
    ({ usedByKey }) => void usedByKey.set("k", 51n),
    ["Key k has 51 used, but its entries sum to 50."],
  ],
  "the usage of a key that is missing": [
    ({ usedByKey }) => void usedByKey.delete("k"),
    ["Key k has 0 used, but its entries sum to 50."],
  ],
  "the usage of a key without charges": [
    ({ usedByKey }) => void usedByKey.set("other", 5n),
    ["Key other has 5 used, but its entries sum to 0."],
  ],
};

describe("verify of a ledger in memory", () => {
  it.each([10_000, 2])("finds nothing in a ledger that keeps %i entries of an account", (keepEntries) => {
    expect(problemsOf(usedLedger(keepEntries))).toEqual([]);
  });

  for (const [name, [fault, problems]] of Object.entries(faults)) {
    it(`finds ${name}`, () => {
      const used = usedLedger(10_000);
      fault(used);
      expect(problemsOf(used)).toEqual(problems);
    });
  }
});
