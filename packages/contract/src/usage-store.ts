import type { UsageStore } from "@tollgate/core/store";
import { type Cases, runSuite, type SuiteOptions } from "./suite.ts";
import { attemptCases } from "./usage-store/attempts.ts";
import { bucketCases } from "./usage-store/buckets.ts";
import { type UsageContext, usageContext } from "./usage-store/context.ts";
import { filterCases } from "./usage-store/filters.ts";
import { forgettingCases } from "./usage-store/forgetting.ts";
import { groupCases } from "./usage-store/groups.ts";
import { listCases } from "./usage-store/list.ts";
import { pruneCases } from "./usage-store/prune.ts";
import { recordCases } from "./usage-store/record.ts";
import { sumCases } from "./usage-store/sums.ts";

/**
 * The suite for every UsageStore. Each case uses names and months of its own, from the year 2000 on. The cases of
 * `prune` remove rows of other cases.
 */
export function usageStoreContract(options: SuiteOptions<UsageStore>): void {
  const groups: Readonly<Record<string, Cases<UsageContext>>> = {
    record: recordCases,
    sums: sumCases,
    groups: groupCases,
    buckets: bucketCases,
    filters: filterCases,
    attempts: attemptCases,
    list: listCases,
    prune: pruneCases,
    forget: forgettingCases,
  };
  runSuite(options, "UsageStore", groups, (opened, check) => check(usageContext(opened)));
}
