import { balanceStoreContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { BreakableBalanceStore, type Flaws } from "./breakable-balance-store.ts";
import { failuresOf } from "./failures.ts";

/** Each mistake, and a case of the suite that must be among those that notice it. */
const mistakes: readonly (readonly [keyof Flaws, string])[] = [
  ["guardDropped", "a hundred parallel holds on a balance worth ten give exactly ten"],
  ["guardReadEarly", "a hundred parallel holds on a balance worth ten give exactly ten"],
  ["holdRepeated", "the same id again holds once"],
  ["contentIgnored", "the same id with other content is a conflict without effect"],
  ["releaseInAnyState", "releasing a settled hold is a conflict without effect"],
  ["settleTwice", "a hundred parallel settlements of one hold charge once"],
  ["overageForgiven", "a cost above the hold is charged in full, and the next hold is refused"],
  ["lateInFull", "a late settlement charges only the difference"],
  ["lateRefused", "expiry and settlement together charge the settlement's amount"],
  ["renewalDead", "a renewal moves the lease"],
  ["usedMayFall", "of several reports the greatest counts"],
  ["expiryOfWholeHold", "an expiry charges what was last reported, and frees the rest"],
  ["expiryKeepsHold", "many sweeps at once expire each hold once"],
  ["creditRepeated", "the same credit fifty times in parallel posts once"],
  ["cursorIgnored", "pages follow each other without gap or repetition"],
];

describe.concurrent("the balance suite", () => {
  it("passes a plain store without mistakes", async () => {
    expect(await failuresWith({})).toEqual([]);
  });

  for (const [flaw, noticedBy] of mistakes) {
    it(`notices the mistake ${flaw}`, async () => {
      expect(await failuresWith({ [flaw]: true })).toContain(noticedBy);
    });
  }
});

function failuresWith(flaws: Flaws): Promise<string[]> {
  return failuresOf((test) =>
    balanceStoreContract({ test, create: () => ({ store: new BreakableBalanceStore(flaws) }) }),
  );
}
