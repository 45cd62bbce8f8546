import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { BreakableBalanceStore, type Flaws } from "../../../contract/breakable-balance-store.ts";
import { printFigures } from "../../figures.ts";
import { Tally } from "../tally.ts";
import { ledgerProperty } from "./ledger-property.ts";
import type { LedgerUnderTest } from "./ledger-under-test.ts";
import { passTime } from "./pass-time.ts";

/** Each is a mistake that the model must find. */
const flaws: readonly (keyof Flaws)[] = [
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
];

/** The fewest scripts that any store is held to the model with, and always the same, so that no luck is needed. */
const parameters = { numRuns: 200, seed: 1 };

describe("the model", { timeout: 60_000 }, () => {
  const runsUntilFound: Record<string, number> = {};

  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterAll(() => {
    vi.useRealTimers();
    printFigures("Scripts until the model found a planted mistake", runsUntilFound);
  });

  it("agrees with a plain store without mistakes", async () => {
    await fc.assert(ledgerProperty({ next: () => plainLedger({}) }, new Tally()), parameters);
  });

  for (const flaw of flaws) {
    it(`finds the mistake ${flaw}`, () => expectFound(flaw, () => plainLedger({ [flaw]: true })));
  }

  it("finds a ledger that forgets when it is opened again", () => expectFound("forgetful", forgetfulLedger));

  it("finds two clients that do not see the same", () =>
    expectFound("twoLedgers", () => ({
      ...plainLedger({}),
      clients: [new BreakableBalanceStore({}), new BreakableBalanceStore({})],
    })));

  async function expectFound(name: string, next: () => LedgerUnderTest): Promise<void> {
    const found = await fc.check(ledgerProperty({ next }, new Tally()), { ...parameters, endOnFailure: true });
    runsUntilFound[name] = found.numRuns;
    expect(found.failed).toBe(true);
  }
});

function plainLedger(flaws: Flaws): LedgerUnderTest {
  const store = new BreakableBalanceStore(flaws);
  return { clients: [store, store], passTime, reopen: () => undefined };
}

function forgetfulLedger(): LedgerUnderTest {
  const ledger: LedgerUnderTest = { ...plainLedger({}), reopen: () => void Object.assign(ledger, plainLedger({})) };
  return ledger;
}
