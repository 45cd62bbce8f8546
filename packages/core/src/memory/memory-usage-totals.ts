import { kindName, prunedKinds, startOfBucket, type TotalKind, totalKinds } from "../events/usage-pieces.ts";
import { dimensionOf } from "../events/usage-row.ts";
import { type AttemptCount, addRow, attemptCounts, noUsage, type UsageSum } from "../events/usage-totals.ts";
import type { UsageRow, UsageTotals } from "../ports/usage-store.ts";

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

  /**
   * Returns the totals of buckets that start from `from` to before `to`, each with its start, in milliseconds since the Unix
   * epoch, and its name, which is "" for requests without a value.
   */
  between(kind: TotalKind, from: Date, to: Date): readonly { start: number; name: string; sum: UsageTotals }[] {
    return [...(this.#sums.get(kindName(kind)) ?? [])].flatMap(([start, groups]) =>
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
      const starts = this.#sums.get(kindName(kind));
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
    const starts = this.#sums.get(kindName(kind)) ?? new Map<number, Map<string, UsageSum>>();
    this.#sums.set(kindName(kind), starts);
    const groups = starts.get(start) ?? new Map<string, UsageSum>();
    starts.set(start, groups);
    const sum = groups.get(name) ?? noUsage();
    groups.set(name, sum);
    return sum;
  }
}
