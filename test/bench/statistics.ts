/** The value below which a share of all values lies, by the nearest rank; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** A figure as it is written down: the median of all rounds, with the lowest and the highest. */
export interface Figure {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Sums up what the rounds gave. */
export function figure(values: readonly number[]): Figure {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}
