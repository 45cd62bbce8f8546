import { sessionStoreContract } from "@tollgate/contract";
import { describe, expect, it, vi } from "vitest";
import { failuresOf } from "./failures.ts";
import { MutantSessionStore } from "./mutant-session-store.ts";
import type { SessionMutations } from "./session-mutations.ts";

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [keyof SessionMutations, string])[] = [
  ["createOverwrites", "an id that is in use throws and changes nothing"],
  ["accountIgnored", "a session of another account is unknown to every method"],
  ["referencesShared", "changing an argument afterwards has no effect on the store"],
  ["prototypesLost", "an own __proto__ within a value is stored and does not pollute prototypes"],
  ["textsCleaned", "texts of messages and images are stored unchanged"],
  ["digitsLost", "numbers keep all their digits, in create, merge and logs"],
  ["mergeReadEarly", "50 concurrent merges lose nothing"],
  ["mergeInPart", "more than 200 keys are refused with a message, and nothing changes"],
  ["mergeUnlimited", "concurrent merges are refused exactly from the limit of keys"],
  ["mergeKeepsNulls", "null removes a key, whether or not it exists"],
  ["updatedAtFixed", "a merge changes the update time and keeps the other members"],
  ["updatedByTurns", "messages change the update time, and the beginning and renewals of a turn do not"],
  ["lockIgnored", "a second turn is busy, through the peer as well"],
  ["lockReadEarly", "one of 50 concurrent turns begins"],
  ["leaseEndless", "another turn can begin after the lease has expired"],
  ["renewalDead", "a renewal extends the lease"],
  ["renewalTakesLock", "a turn whose lock was taken over can neither renew nor end"],
  ["endUnguarded", "a turn whose lock was taken over appends nothing"],
  ["endKeepsLock", "the end appends messages and images and releases the lock"],
  ["endRefusedWhenLapsed", "a turn whose lease has expired can end if no other turn has begun"],
  ["endRestoresClientData", "a merge during a turn succeeds, and the end of the turn keeps it"],
  ["endOnlyAppends", "an end without messages only releases the lock"],
  ["historyCutAnywhere", "a history starts with the first message of a turn"],
  ["historyOldest", "the history has the newest messages when there are more than the limit"],
  ["historyByRole", "a user message in the middle of a turn does not start a turn"],
  ["historySortedAsText", "messages are in order from the oldest"],
  ["imagesOfLastTurn", "images are in order, including those beyond the limit of messages"],
  ["imagesDistinct", "a repeated image is stored twice"],
  ["cursorIncluded", "pages are consecutive, without gaps or duplicates"],
  ["logCursorCountsFromNewest", "logs that are added during paging are not on later pages"],
  ["nextAlways", "a page that ends with the last message has no next page"],
  ["logsOldestFirst", "logs are in order from the newest, in pages without gaps or duplicates"],
  ["logsNeedLock", "a log can be added before, during and after a turn"],
  ["logsShared", "sessions of one account are independent"],
  ["readingRenews", "reading does not extend the lifetime"],
  ["useIgnored", "a merge restarts the lifetime"],
  ["timeEndsAtSweep", "an expired session is unknown to every method, even before a sweep"],
  ["sweepTakesUsed", "a sweep removes expired sessions and returns how many"],
  ["sweepMiscounts", "concurrent sweeps remove each session once"],
  ["deletionKeepsLogs", "a deletion removes messages, images, logs and the lock"],
  ["limitReadEarly", "10 of 100 concurrent creations succeed when the limit allows 10 more"],
  ["limitsShared", "accounts have separate limits"],
  ["expiredCount", "expired sessions are not counted, before and after a sweep"],
  ["bytesAreCharacters", "client data, messages, images and logs are counted, and a deletion subtracts their bytes"],
  ["logsUncounted", "client data, messages, images and logs are counted, and a deletion subtracts their bytes"],
  ["deletionKeepsBytes", "deleted sessions leave no bytes behind"],
  ["mergesUncounted", "concurrent merges do not exceed the limit of bytes"],
  ["shrinkingRefused", "a merge can grow a session within the limit of bytes, and can always shrink it"],
  ["turnsUnlimited", "no turn begins when the account exceeds accountBytes"],
  ["fullTurnsLock", "a refused turn takes no lock"],
  ["listShared", "sessions of other accounts are not listed"],
  ["listKeepsExpired", "deleted and expired sessions are not listed"],
  ["listByUse", "sessions are ordered by creation and not by use"],
  ["listOldestFirst", "sessions are in order from the newest, complete, in pages without gaps or duplicates"],
  ["listNeedsCursor", "a cursor stays valid after its session is deleted"],
  ["pagesUnlimited", "a page of messages stays within its limit of bytes, and the next one continues"],
  ["pageOfNothing", "a page of logs stays within its limit of bytes, and the next one continues"],
  ["historyBytesCutAnywhere", "a history has the newest complete turns within its limit of bytes"],
  ["historyDropsNewest", "a history has the newest complete turns within its limit of bytes"],
  ["loadUnlimited", "a turn whose history and images exceed `loadBytes` gets their size and no lock"],
  ["largerTurnsLock", "a turn whose history and images exceed `loadBytes` gets their size and no lock"],
];

// Each test runs the whole suite, which mostly waits. More concurrent tests would disturb each other's timing.
vi.setConfig({ maxConcurrency: 10, testTimeout: 60_000 });

describe.concurrent("the session suite", () => {
  it("passes the store without mutations", async () => {
    expect(await failuresWith({})).toEqual([]);
  });

  for (const [mutation, detectedBy] of mutations) {
    it(`detects the mutation ${mutation}`, async () => {
      expect(await failuresWith({ [mutation]: true }, detectedBy)).toEqual([detectedBy]);
    }, 60_000);
  }
});

function failuresWith(mutations: SessionMutations, only?: string): Promise<string[]> {
  return failuresOf(
    (test) => sessionStoreContract({ test, create: () => ({ store: new MutantSessionStore(mutations) }) }),
    only,
  );
}
