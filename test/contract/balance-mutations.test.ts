import { balanceStoreContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./failures.ts";
import { type BalanceMutations, MutantBalanceStore } from "./mutant-balance-store.ts";

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [keyof BalanceMutations, string])[] = [
  ["guardDropped", "exactly 10 of 100 parallel holds succeed on a balance that covers 10"],
  ["guardReadEarly", "exactly 10 of 100 parallel holds succeed on a balance that covers 10"],
  ["holdRepeated", "a repeated hold takes effect once"],
  ["endForgotten", "a repeated hold has no effect after the hold was settled or released, and says so"],
  ["contentIgnored", "the same id with different content is a conflict and has no effect"],
  ["accountOfHoldIgnored", "a hold of another account is unknown, and is not renewed"],
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
  ["boundReturned", "a repeated flexible hold returns what the first took, and its cost after it was settled"],
  ["referenceIgnored", "a reference selects the entries of one hold or posting of the account"],
  ["answerIgnored", "the id of an answer selects the charges of the account that have it"],
  ["orderIgnored", "the newest entries come first, and their pages have no gaps when entries are added in between"],
  ["kindIgnored", "a kind selects entries in both orders"],
  ["periodWithItsEnd", "a period contains its start and not its end"],
  ["grantedFirst", "a charge takes from the lot that expires first, then from granted ones, then from paid money"],
  ["debtIgnored", "a lot pays a negative balance first, and has what is left"],
  ["holdsIgnored", "pending holds keep what they need of a lot, and each end lets more of it expire"],
  ["lapseMissing", "what is left of a lot expires at its time, as an entry that names it"],
  ["grantedDebited", "a debit of paid money takes from paid lots alone, and at most what is left of them"],
  [
    "kindUncompared",
    "the same id with another kind or time is a conflict, and a credit is paid unless it says otherwise",
  ],
  [
    "allowanceOfEachHold",
    "exactly 10 of 100 parallel first holds succeed on an allowance for 10, which is granted once",
  ],
  ["allowanceHidden", "a balance counts the allowance of the present window, whether it is granted yet or not"],
  ["allowanceOfLastWindow", "the allowances of two plans are granted once each, also when their holds alternate"],
  ["refundRepeated", "20 parallel refunds of one charge take effect once"],
  ["refundUnlimited", "an amount above the charge is a conflict and has no effect"],
  ["refundIsPaid", "a refund returns a charge to the lots that paid it, with their kinds and times"],
  ["refundInOrder", "a partial refund returns what was taken last first"],
  ["expiredLotRestored", "what came from a lot whose time has passed is granted for 7 days"],
  ["lateIgnoresRefund", "a late settlement returns nothing that was refunded"],
  [
    "refundIgnoresLate",
    "an expiry is refunded at most what a late settlement has left of it, and that settlement not at all",
  ],
  ["debitsUncounted", "credits of all kinds count, less debits of paid money, and nothing else"],
  ["refundsUncounted", "charges of all kinds count for the account and for their keys, less refunds"],
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
