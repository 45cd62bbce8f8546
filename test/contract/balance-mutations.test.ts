import { balanceStoreContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./failures.ts";
import { type BalanceMutations, MutantBalanceStore } from "./mutant-balance-store.ts";

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [keyof BalanceMutations, string])[] = [
  ["guardDropped", "exactly 10 of 100 parallel holds succeed on a balance that covers 10"],
  ["guardReadEarly", "exactly 10 of 100 parallel holds succeed on a balance that covers 10"],
  ["holdRepeated", "a repeated hold takes effect once"],
  ["contentIgnored", "the same id with different content is a conflict and has no effect"],
  ["releaseInAnyState", "releasing a settled hold is a conflict and has no effect"],
  ["settleTwice", "100 parallel settlements of one hold charge once"],
  ["overageForgiven", "a cost above the hold is charged in full, and the next hold is refused"],
  ["lateInFull", "a late settlement charges only the difference"],
  ["lateRefused", "a concurrent expiry and settlement charge the settlement's amount"],
  ["renewalDead", "a renewal extends the lease"],
  ["usedMayFall", "the largest reported use counts"],
  ["expiryOfWholeHold", "an expiry charges the last reported use and releases the rest"],
  ["expiryKeepsHold", "concurrent sweeps expire each hold once"],
  ["creditRepeated", "50 parallel repetitions of one credit take effect once"],
  ["chargeUnexplained", "a charge has the receipt of its hold and of its settlement"],
  ["expiryUnexplained", "an expiry has the receipt of its hold"],
  ["lateHasReceiptOfHold", "a late settlement has a receipt of its own"],
  ["lastReceiptKept", "a repeated hold keeps the first receipt"],
  ["cursorIgnored", "pages are consecutive, without gaps or duplicates"],
  ["quarterIgnored", "a flexible hold takes a quarter of what is available, and not less than its floor"],
  ["floorIgnored", "a flexible hold takes a quarter of what is available, and not less than its floor"],
  [
    "restIgnored",
    "a flexible hold takes all that is left when that is less than its floor, and not less than its least",
  ],
  [
    "leastIgnored",
    "a flexible hold takes all that is left when that is less than its floor, and not less than its least",
  ],
  ["boundReturned", "a repeated flexible hold returns what the first took, also after it has ended"],
  ["referenceIgnored", "a reference selects the entries of one hold or posting of the account"],
  ["orderIgnored", "the newest entries come first, and their pages have no gaps when entries are added in between"],
  ["kindIgnored", "a kind selects entries in both orders"],
  ["periodWithItsEnd", "a period contains its start and not its end"],
];

describe.concurrent("the balance suite", () => {
  it("passes the store without mutations", async () => {
    expect(await failuresWith({})).toEqual([]);
  });

  for (const [mutation, detectedBy] of mutations) {
    it(`detects the mutation ${mutation}`, async () => {
      expect(await failuresWith({ [mutation]: true }, detectedBy)).toContain(detectedBy);
    });
  }
});

function failuresWith(mutations: BalanceMutations, only?: string): Promise<string[]> {
  return failuresOf(
    (test) => balanceStoreContract({ test, create: () => ({ store: new MutantBalanceStore(mutations) }) }),
    only,
  );
}
