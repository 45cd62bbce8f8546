import { latencyBounds } from "@tollgate/core/store";

/**
 * Estimates a percentile of a latency histogram in milliseconds, linear within a bucket; `share` is 0.95 for the 95th.
 * Beyond the last bound it is that bound. Null for an empty histogram.
 */
export function percentile(counts: readonly number[] | undefined, share: number): number | null {
  const total = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (counts === undefined || total === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    const upper = latencyBounds[index];
    if (upper === undefined) break;
    if (count > 0 && below + count >= share * total) {
      const lower = latencyBounds[index - 1] ?? 0;
      return Math.round(lower + ((share * total - below) / count) * (upper - lower));
    }
    below += count;
  }
  return latencyBounds.at(-1) ?? null;
}
