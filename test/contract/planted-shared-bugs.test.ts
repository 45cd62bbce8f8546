import { sharedStoresContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { breakableSharedStores, type SharedFlaws } from "./breakable-shared-stores.ts";
import { failuresOf } from "./failures.ts";

/** Each mistake, and a case of the suite that must be among those that notice it. */
const mistakes: readonly (readonly [keyof SharedFlaws, string])[] = [
  ["keyUnchecked", "a key that does not exist is refused"],
  ["accountIgnored", "a key of another account is refused"],
  ["expiryIgnored", "a rotated key is refused when its grace is over"],
  ["revocationIgnored", "a revoked key is refused, and other keys are not"],
  ["keyRemembered", "a key that was just used is refused once the peer has revoked it"],
  ["checkedBeforeTheStep", "no hold is granted once a revocation has answered"],
  ["termsUnchecked", "without an acceptance of what is asked the hold is refused"],
  ["allTermsAsked", "any accepted one of the versions suffices"],
  ["firstTermAsked", "any accepted one of the versions suffices"],
  ["termsOfAnyAccount", "an acceptance of another account does not count"],
  ["noTermsRefused", "no version asks for nothing"],
  ["replayChecked", "the same id again answers held, also when the key has been revoked"],
  ["fundsFirst", "funds are looked at for a good key alone"],
  ["refusedStillHolds", "a key that has expired is refused"],
  ["settlementChecked", "it can be renewed and settled when its key has been revoked"],
];

describe.concurrent("the suite of stores that share a database", () => {
  it("passes plain stores without mistakes", async () => {
    expect(await failuresWith({})).toEqual([]);
  });

  for (const [flaw, noticedBy] of mistakes) {
    it(`notices the mistake ${flaw}`, async () => {
      expect(await failuresWith({ [flaw]: true })).toContain(noticedBy);
    });
  }
});

function failuresWith(flaws: SharedFlaws): Promise<string[]> {
  return failuresOf((test) => sharedStoresContract({ test, create: () => ({ store: breakableSharedStores(flaws) }) }));
}
