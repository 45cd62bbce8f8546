import type { UsageRow, UsageTotals } from "../ports/usage-store.ts";
import { startOfBucket } from "../usage/bucket.ts";
import { dimensionOf } from "../usage/dimensions.ts";
import { type TotalKind, totalKinds } from "../usage/pieces.ts";
import { addRow, noUsage, type UsageSum } from "../usage/totals.ts";

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

  add(row: UsageRow): void {
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
