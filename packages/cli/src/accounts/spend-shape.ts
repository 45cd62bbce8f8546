import { formatAmount } from "@tollgate/core";
import type { SpendLimit } from "@tollgate/core/store";

/** A spend limit in the output of --json. */
export const toSpendShape = ({ limit, window, timezone = "UTC" }: SpendLimit) => ({
  limit: formatAmount(limit),
  window,
  timezone,
});

/** Describes a spend limit in words: "100 per month (UTC)". */
export const describeSpend = ({ limit, window, timezone = "UTC" }: SpendLimit): string =>
  window === "total" ? `${formatAmount(limit)} in total` : `${formatAmount(limit)} per ${window} (${timezone})`;
