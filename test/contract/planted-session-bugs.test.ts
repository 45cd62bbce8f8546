import { sessionStoreContract } from "@tollgate/contract";
import { describe, expect, it, vi } from "vitest";
import { BreakableSessionStore } from "./breakable-session-store.ts";
import { failuresOf } from "./failures.ts";
import type { SessionFlaws } from "./session-flaws.ts";

/** Each mistake, and a case of the suite that must be among those that notice it. */
const mistakes: readonly (readonly [keyof SessionFlaws, string])[] = [
  ["createOverwrites", "the same id again throws, and changes nothing"],
  ["accountIgnored", "a session of another account is unknown to every verb"],
  ["referencesShared", "what was given can be changed afterwards without effect"],
  ["prototypesLost", "an own __proto__ within a value is kept and poisons nothing"],
  ["textsCleaned", "texts of messages and images come back as they went in"],
  ["digitsLost", "numbers keep their digits, created, merged and logged"],
  ["mergeReadEarly", "fifty merges at once lose nothing"],
  ["mergeInPart", "more than 200 keys are refused in words, and nothing changes"],
  ["mergeUnlimited", "merges at once are refused from the limit on, and not before"],
  ["mergeKeepsNulls", "null removes a key, and one that is not there is no matter"],
  ["updatedAtFixed", "a merge makes the session newer and keeps the rest of it"],
  ["updatedByTurns", "messages make the session newer, and neither a beginning nor a renewal does"],
  ["lockIgnored", "a second turn is busy, for the peer too"],
  ["lockReadEarly", "of fifty beginnings at once one begins"],
  ["leaseEndless", "a lease that ran out lets another turn begin"],
  ["renewalDead", "a renewal moves the lease"],
  ["renewalTakesLock", "a turn whose lease was taken can neither renew nor end"],
  ["endUnguarded", "what a turn wanted to append after its lease was taken is nowhere"],
  ["endKeepsLock", "the end appends messages and images and frees the lock"],
  ["endRefusedWhenLapsed", "a turn whose lease ran out and was not taken still ends"],
  ["endRestoresClientData", "a merge is possible while a turn runs, and its end keeps it"],
  ["endOnlyAppends", "an end with nothing to append only frees"],
  ["historyCutAnywhere", "a history begins with the first message of a turn"],
  ["historyOldest", "the newest messages are given when there are more than the limit"],
  ["historyByRole", "a user message in the middle of a turn does not begin one"],
  ["historySortedAsText", "messages come oldest first"],
  ["imagesOfLastTurn", "images come in order, also those beyond the limit of messages"],
  ["imagesDistinct", "the same image twice is two images"],
  ["cursorIncluded", "pages follow each other without gap or repetition"],
  ["logCursorCountsFromNewest", "logs added while someone reads do not come on later pages"],
  ["nextAlways", "a page that ends with the last message is the last page"],
  ["logsOldestFirst", "logs come newest first, in pages without gap or repetition"],
  ["logsNeedLock", "a log is added whether a turn runs, failed, or never was"],
  ["logsShared", "sessions of one account do not touch each other"],
  ["readingRenews", "a session that is only read ends"],
  ["useIgnored", "a merge gives a session its whole time again"],
  ["timeEndsAtSweep", "a session whose time has run out is unknown to every verb, before any sweep"],
  ["sweepTakesUsed", "a sweep removes those whose time has run out and tells how many"],
  ["sweepMiscounts", "many sweeps at once remove each session once"],
  ["deletionKeepsLogs", "a deletion takes messages, images, logs and the lock"],
  ["limitReadEarly", "of a hundred creations at once with ten left ten succeed"],
  ["limitsShared", "accounts have their limits each for itself"],
  ["expiredCount", "sessions whose time has run out count no longer, before and after a sweep"],
  ["bytesAreCharacters", "client data, messages, images and logs count, and a deletion gives their bytes back"],
  ["logsUncounted", "client data, messages, images and logs count, and a deletion gives their bytes back"],
  ["deletionKeepsBytes", "what came and went leaves no bytes behind"],
  ["mergesUncounted", "merges at once take no more bytes than there are"],
  ["shrinkingRefused", "a merge may make a session larger while there are bytes left, and smaller always"],
  ["turnsUnlimited", "no turn begins when the account has more bytes than the turn allows"],
  ["fullTurnsLock", "a turn that could not begin has no lock"],
  ["listShared", "sessions of other accounts are not there"],
  ["listKeepsExpired", "sessions that were deleted, or whose time has run out, are not there"],
  ["listByUse", "a later session comes before an earlier one that was used since"],
  ["listOldestFirst", "sessions come newest first, whole, in pages without gap or repetition"],
  ["listNeedsCursor", "the page after one whose last session is gone goes on behind it"],
  ["pagesUnlimited", "a page of messages ends before its bytes are more than wanted, and the next goes on"],
  ["pageOfNothing", "a page of logs ends before its bytes are more than wanted, and the next goes on"],
  ["historyBytesCutAnywhere", "a history holds the newest whole turns within its bytes"],
  ["historyDropsNewest", "a history holds the newest whole turns within its bytes"],
];

// Each runs the whole suite, which mostly waits. More of them at once would delay each other's clocks.
vi.setConfig({ maxConcurrency: 10, testTimeout: 60_000 });

describe.concurrent("the session suite", () => {
  it("passes a plain store without mistakes", async () => {
    expect(await failuresWith({})).toEqual([]);
  });

  for (const [flaw, noticedBy] of mistakes) {
    it(`notices the mistake ${flaw}`, async () => {
      expect(await failuresWith({ [flaw]: true })).toContain(noticedBy);
    }, 60_000);
  }
});

function failuresWith(flaws: SessionFlaws): Promise<string[]> {
  return failuresOf((test) =>
    sessionStoreContract({ test, create: () => ({ store: new BreakableSessionStore(flaws) }) }),
  );
}
