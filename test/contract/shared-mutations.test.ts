import { sharedStoresContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./failures.ts";
import { mutantSharedStores, type SharedMutations } from "./mutant-shared-stores.ts";

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [keyof SharedMutations, string])[] = [
  ["keyUnchecked", "a key that does not exist is refused"],
  ["accountIgnored", "a key of another account is refused"],
  ["expiryIgnored", "a rotated key is refused after its grace period"],
  ["revocationIgnored", "a revoked key is refused, and other keys are not"],
  ["keyRemembered", "a key that was just used is refused after the peer has revoked it"],
  ["checkedBeforeTheStep", "no hold succeeds after a revocation has returned"],
  ["termsUnchecked", "a hold is refused without an acceptance of a required version"],
  ["allTermsAsked", "an acceptance of any of the versions suffices"],
  ["firstTermAsked", "an acceptance of any of the versions suffices"],
  ["termsOfAnyAccount", "an acceptance of another account does not count"],
  ["noTermsRefused", "an empty list of versions requires nothing"],
  ["replayChecked", "a repeated hold returns held, even after the key was revoked"],
  ["fundsFirst", "the balance is checked only for a valid key"],
  ["refusedStillHolds", "a key that has expired is refused"],
  ["settlementChecked", "a hold can be renewed and settled after its key was revoked"],
];

describe.concurrent("the suite of stores that share a database", () => {
  it("passes the stores without mutations", async () => {
    expect(await failuresWith({})).toEqual([]);
  });

  for (const [mutation, detectedBy] of mutations) {
    it(`detects the mutation ${mutation}`, async () => {
      expect(await failuresWith({ [mutation]: true }, detectedBy)).toEqual([detectedBy]);
    });
  }
});

function failuresWith(mutations: SharedMutations, only?: string): Promise<string[]> {
  return failuresOf(
    (test) => sharedStoresContract({ test, create: () => ({ store: mutantSharedStores(mutations) }) }),
    only,
  );
}
