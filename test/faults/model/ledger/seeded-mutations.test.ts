import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type BalanceMutations, MutantBalanceStore } from "../../../contract/mutant-balance-store.ts";
import { printFigures } from "../../figures.ts";
import { Tally } from "../tally.ts";
import { ledgerProperty } from "./ledger-property.ts";
import type { LedgerUnderTest } from "./ledger-under-test.ts";
import { passTime } from "./pass-time.ts";

/** The mutations that the model must detect. */
const mutations: readonly (keyof BalanceMutations)[] = [
  "guardDropped",
  "guardReadEarly",
  "holdRepeated",
  "contentIgnored",
  "releaseInAnyState",
  "settleTwice",
  "overageForgiven",
  "lateInFull",
  "lateRefused",
  "renewalDead",
  "usedMayFall",
  "expiryOfWholeHold",
  "expiryKeepsHold",
  "creditRepeated",
  "cursorIgnored",
  "debtIgnored",
  "grantedDebited",
  "kindUncompared",
  "refundIsPaid",
];

/**
 * The smallest number of scripts that the tests of a store run, with a fixed seed, so that the result is deterministic.
 */
const parameters = { numRuns: 200, seed: 1 };

describe("the model", { timeout: 60_000 }, () => {
  const runsUntilFound: Record<string, number> = {};

  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterAll(() => {
    vi.useRealTimers();
    printFigures("Scripts until the model found a seeded mutation", runsUntilFound);
  });

  it("matches a store without mutations", async () => {
    await fc.assert(ledgerProperty({ next: () => plainLedger({}) }, new Tally()), parameters);
  });

  for (const mutation of mutations) {
    it(`detects the mutation ${mutation}`, () => expectFound(mutation, () => plainLedger({ [mutation]: true })));
  }

  it("detects a ledger that loses its data when it is reopened", () => expectFound("forgetful", forgetfulLedger));

  it("detects two clients with different data", () =>
    expectFound("twoLedgers", () => ({
      ...plainLedger({}),
      clients: [new MutantBalanceStore({}), new MutantBalanceStore({})],
    })));

  async function expectFound(name: string, next: () => LedgerUnderTest): Promise<void> {
    const found = await fc.check(ledgerProperty({ next }, new Tally()), { ...parameters, endOnFailure: true });
    runsUntilFound[name] = found.numRuns;
    expect(found.failed).toBe(true);
  }
});

function plainLedger(mutations: BalanceMutations): LedgerUnderTest {
  const store = new MutantBalanceStore(mutations);
  return { clients: [store, store], passTime, reopen: () => undefined };
}

function forgetfulLedger(): LedgerUnderTest {
  const ledger: LedgerUnderTest = { ...plainLedger({}), reopen: () => void Object.assign(ledger, plainLedger({})) };
  return ledger;
}
