import * as v from "valibot";
import { port, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { UsageStore } from "../ports/usage-store.ts";

/** Where the usage of requests is recorded. */
export interface UsageOptions {
  readonly store: UsageStore;
  /** How long rows are kept, in days; 90. Totals are kept. */
  readonly retentionDays?: number;
}

/** The schema of {@link UsageOptions}. */
export const usageSchema = optionMembers("the option `usage`", {
  store: port<UsageStore>("a UsageStore", ["record", "summary", "attempts", "list", "prune"], "memoryUsageStore()"),
  retentionDays: v.exactOptional(wholeNumber()),
});
