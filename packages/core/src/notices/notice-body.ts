import { formatAmount } from "../options/decimal.ts";
import type { Notice } from "../ports/notice-outbox.ts";

/** Returns the JSON that an endpoint receives, in the shape that Standard Webhooks recommends: type, timestamp, data. */
export function noticeBody(notice: Notice): string {
  return JSON.stringify({ type: notice.type, timestamp: notice.at.toISOString(), data: dataOf(notice) });
}

function dataOf(notice: Notice): object {
  const { account } = notice;
  if (notice.type === "balance.low") {
    return { account, posted: formatAmount(notice.posted), below: formatAmount(notice.below) };
  }
  const { scope, keyId, threshold, limit, spent, resetsAt } = notice;
  return {
    account,
    scope,
    key_id: keyId ?? null,
    threshold,
    limit: formatAmount(limit.limit),
    window: limit.window,
    timezone: limit.timezone ?? "UTC",
    spent: formatAmount(spent),
    resets_at: resetsAt?.toISOString() ?? null,
  };
}
