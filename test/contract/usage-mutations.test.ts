import { usageStoreContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./failures.ts";
import { mutantUsageStore, type usageMutations } from "./mutant-usage-store.ts";

/** Each mutation, and a case of the suite that must detect it. */
const mutations: readonly (readonly [keyof typeof usageMutations, string])[] = [
  ["batchesRefused", "a row with all members is stored unchanged"],
  ["oddTextRefused", "text that a database cannot store holds up no other row"],
  ["timeIgnored", "the same id at another time is another row"],
  ["duplicatesCounted", "a row that exists is skipped and not counted again"],
  ["duplicatesReported", "a row that exists is skipped and not counted again"],
  ["checkedBeforeTheStep", "concurrent batches with common rows count each row once"],
  ["costsAreNumbers", "costs beyond 2^53 are exact"],
  ["timelineLost", "a row with all members is stored unchanged"],
  ["tagsJoined", "a row with all members is stored unchanged"],
  [
    "upstreamFailuresIgnored",
    "requests fail with a status from 500 on or a broken stream, and are refused with one from 400 to 499",
  ],
  [
    "refusedAreFailed",
    "requests fail with a status from 500 on or a broken stream, and are refused with one from 400 to 499",
  ],
  ["answersForgotten", "a filter selects by answer id"],
  ["failedAttemptsForgotten", "a target from which requests fail over is counted with the classes of its failures"],
  ["attemptsOfPartsOfHours", "the period is extended to whole hours"],
  ["failedIgnored", "a filter selects by failed requests"],
  ["tagIgnored", "a filter selects by tag"],
  ["marginOfAll", "costs beyond 2^53 are exact"],
  ["bordersExcluded", "durations are counted by their upper bounds"],
  ["firstContentsOfAll", "times to first content are counted apart, and requests without one are not"],
  ["cachedTokensForgotten", "tokens are summed by class"],
  ["othersForgotten", "the groups with the highest cost are named, and the others are summed"],
  ["topOfEachBucket", "the same groups are named in all buckets"],
  ["groupedByModelOnly", "usage is grouped by status"],
  ["orderedByName", "rows of a summary are in the order of time, and then of cost"],
  ["endIncluded", "the start of a range is included and its end is not, within a bucket too"],
  ["rangesRounded", "the start of a range is included and its end is not, within a bucket too"],
  ["monthsOfThirtyDays", "months begin at UTC borders"],
  ["hoursAreDays", "hours begin at UTC borders"],
  ["oldestFirst", "pages are from the newest, complete, without gaps or duplicates"],
  ["cursorWithoutId", "rows of the same time are in the order of their ids"],
  ["nextAlways", "a page that ends with the last row has no next page"],
  ["endListed", "the start of a range is included and its end is not"],
  ["pruneIncludesDate", "older rows are removed, and one of that time is kept"],
  ["totalsPruned", "totals by model, account and key are kept"],
];

describe.concurrent("the usage suite", () => {
  it("passes the store without mutations", async () => {
    expect(await failuresWith()).toEqual([]);
  });

  for (const [mutation, detectedBy] of mutations) {
    it(`detects the mutation ${mutation}`, async () => {
      expect(await failuresWith(mutation, detectedBy)).toEqual([detectedBy]);
    });
  }
});

function failuresWith(mutation?: keyof typeof usageMutations, only?: string): Promise<string[]> {
  return failuresOf(
    (test) => usageStoreContract({ test, create: () => ({ store: mutantUsageStore(mutation) }) }),
    only,
  );
}
