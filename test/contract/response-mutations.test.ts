import { responseStoreContract } from "@tollgate/contract";
import { describe, expect, it, vi } from "vitest";
import { failuresOf } from "./failures.ts";
import { MutantResponseStore } from "./mutant-response-store.ts";
import type { ResponseMutations } from "./response-mutations.ts";

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [keyof ResponseMutations, string])[] = [
  ["accountIgnored", "a response of another account is unknown to every method"],
  ["accountIgnoredByItems", "an item with the id of another account's item stays apart"],
  ["accountIgnoredByChains", "a response cannot continue one of another account"],
  ["saveOverwrites", "a second save with the same id changes nothing"],
  ["foreignIdSaved", "the id of another account's response throws and changes nothing"],
  ["referencesShared", "changing an argument afterwards has no effect on the store"],
  ["jsonReformatted", "a response and its items are stored unchanged"],
  ["previousIdLost", "a response is found as soon as it is saved, with all its members"],
  ["newestFirst", "the items of a chain of three are in order from the oldest"],
  ["outputBeforeInput", "the items of a chain of three are in order from the oldest"],
  ["missingAncestorSkipped", "a deleted ancestor makes a conversation unknown"],
  ["lengthUnlimited", "a conversation of more than `maxBytes` is too long"],
  ["lengthInCharacters", "a conversation of more than `maxBytes` is too long"],
  ["lengthWithResponse", "the response itself does not count towards `maxBytes`"],
  ["chainReadInSteps", "a conversation beside a deletion has all items or is unknown"],
  ["pageOfOutput", "items of the output and of earlier responses are not listed"],
  ["pageOfConversation", "items of the output and of earlier responses are not listed"],
  ["cursorIncluded", "`hasMore` is true exactly when items follow"],
  ["cursorUnchecked", "`after` must be an input item of the same response"],
  ["orderIgnored", "pages in both orders are consecutive, without gaps or duplicates"],
  ["hasMoreAtEnd", "`hasMore` is true exactly when items follow"],
  ["pageBytesIgnored", "a page stays within its limit of bytes, and the next one continues"],
  ["pageOfNothing", "a page stays within its limit of bytes, and the next one continues"],
  ["itemsOfInputOnly", "items are found in the input and the output of several responses"],
  ["oldestItem", "an id of several responses is returned once, from the one that was stored last"],
  ["itemsTwice", "an id of several responses is returned once, from the one that was stored last"],
  ["chainLoadUnlimited", "of a conversation of more than `loadBytes` only the size is returned"],
  ["itemLoadUnlimited", "of items of more than `loadBytes` only the size is returned"],
  ["itemsUnlimited", "items of more than `maxBytes` are too long, each counted once"],
  ["limitReadEarly", "10 of 100 concurrent saves succeed when the bytes suffice for 10"],
  ["limitShared", "accounts have separate limits"],
  ["bytesAreCharacters", "the response, its input and its output are counted in UTF-8"],
  ["inputUncounted", "the response, its input and its output are counted in UTF-8"],
  ["responseUncounted", "the response, its input and its output are counted in UTF-8"],
  ["repeatedSaveCounted", "concurrent saves with one id are counted once"],
  ["deletionKeepsBytes", "deleted responses leave no bytes behind"],
  ["expiredCount", "expired responses are not counted, before and after a sweep"],
  ["refusedIsStored", "a refused response is not stored"],
  ["deletionKeepsItems", "a deletion removes the items"],
  ["deletionAlwaysTrue", "one of 20 concurrent deletions succeeds"],
  ["timeEndsAtSweep", "an expired response is unknown to every method, even before a sweep"],
  ["readingRenews", "reading does not extend the lifetime"],
  ["sweepMiscounts", "concurrent sweeps remove each response once"],
  ["sweepTakesAll", "a sweep removes expired responses and returns how many"],
];

// Each test runs the whole suite, which mostly waits. More concurrent tests would disturb each other's timing.
vi.setConfig({ maxConcurrency: 10, testTimeout: 60_000 });

describe.concurrent("the response suite", () => {
  it("passes the store without mutations", async () => {
    expect(await failuresWith({})).toEqual([]);
  });

  for (const [mutation, detectedBy] of mutations) {
    it(`detects the mutation ${mutation}`, async () => {
      expect(await failuresWith({ [mutation]: true }, detectedBy)).toEqual([detectedBy]);
    }, 60_000);
  }
});

function failuresWith(mutations: ResponseMutations, only?: string): Promise<string[]> {
  return failuresOf(
    (test) => responseStoreContract({ test, create: () => ({ store: new MutantResponseStore(mutations) }) }),
    only,
  );
}
