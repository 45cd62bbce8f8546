import { type AttemptCount, attemptCounts } from "../events/usage-attempts.ts";
import { startOfBucket } from "../events/usage-bucket.ts";
import { dimensionOf } from "../events/usage-dimensions.ts";
import { prunedKinds, type TotalKind, totalKinds } from "../events/usage-pieces.ts";
import { addRow, noUsage, type UsageSum } from "../events/usage-totals.ts";
import type { UsageRow, UsageTotals } from "../ports/usage-store.ts";

/** The totals of one group in one bucket, which starts at `start`, in milliseconds since the Unix epoch. */
interface Total {
  readonly start: number;
  /** "" for requests without a value. */
  readonly name: string;
  readonly sum: UsageTotals;
}

/** The totals of a memory store, which are kept when rows are removed. */
export class MemoryUsageTotals {
  readonly #sums = new Map<string, Map<number, Map<string, UsageSum>>>();
  /** By hour, and by target and failure. */
  readonly #attempts = new Map<number, Map<string, AttemptCount>>();

  add(row: UsageRow): void {
    this.#addAttempts(row);
    for (const kind of totalKinds) {
      const name = dimensionOf(row, kind.dimension) ?? "";
      addRow(this.#sumOf(kind, startOfBucket(kind.grain, row.at.getTime()), name), row);
    }
  }

  /** Returns the totals of buckets that start from `from` to before `to`. */
  between(kind: TotalKind, from: Date, to: Date): readonly Total[] {
    return [...(this.#sums.get(nameOf(kind)) ?? [])].flatMap(([start, groups]) =>
      start < from.getTime() || start >= to.getTime() ? [] : [...groups].map(([name, sum]) => ({ start, name, sum })),
    );
  }

  /** Returns the counts of attempts in the hours of a period. */
  attempts(from: number, to: number): readonly AttemptCount[] {
    const first = startOfBucket("hour", from);
    return [...this.#attempts].flatMap(([hour, counts]) => (hour < first || hour >= to ? [] : [...counts.values()]));
  }

  /** Removes the totals of hours that ended before a time, of the kinds that are not kept. */
  prune(before: number): void {
    const hour = startOfBucket("hour", before);
    for (const kind of prunedKinds) {
      const starts = this.#sums.get(nameOf(kind));
      for (const start of starts?.keys() ?? []) if (start < hour) starts?.delete(start);
    }
  }

  #addAttempts(row: UsageRow): void {
    const hour = startOfBucket("hour", row.at.getTime());
    const counts = this.#attempts.get(hour) ?? new Map<string, AttemptCount>();
    this.#attempts.set(hour, counts);
    for (const count of attemptCounts(row)) {
      const name = `${count.provider}/${count.upstreamModel} ${count.failure}`;
      counts.set(name, { ...count, attempts: count.attempts + (counts.get(name)?.attempts ?? 0) });
    }
  }

  #sumOf(kind: TotalKind, start: number, name: string): UsageSum {
    const starts = this.#sums.get(nameOf(kind)) ?? new Map<number, Map<string, UsageSum>>();
    this.#sums.set(nameOf(kind), starts);
    const groups = starts.get(start) ?? new Map<string, UsageSum>();
    starts.set(start, groups);
    const sum = groups.get(name) ?? noUsage();
    groups.set(name, sum);
    return sum;
  }
}

const nameOf = ({ dimension, grain }: TotalKind): string => `${dimension} ${grain}`;
