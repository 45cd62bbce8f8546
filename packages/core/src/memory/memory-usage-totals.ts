import {
  accountTotalKinds,
  kindName,
  prunedKinds,
  startOfBucket,
  type TotalKind,
  totalKinds,
  type UsagePiece,
} from "../events/usage-pieces.ts";
import { groupsOf } from "../events/usage-row.ts";
import { type AttemptCount, addRow, addTotals, attemptCounts, noUsage, type UsageSum } from "../events/usage-totals.ts";
import type { UsageRow, UsageTotals } from "../ports/usage-store.ts";

/** The totals of a memory store, which are kept when rows are removed. */
export class MemoryUsageTotals {
  /** By kind and account, start and name. */
  readonly #sums = new Map<string, Map<number, Map<string, UsageSum>>>();
  /** By hour, and by target and failure. */
  readonly #attempts = new Map<number, Map<string, AttemptCount>>();

  add(row: UsageRow): void {
    this.#addAttempts(row);
    for (const kind of totalKinds) this.#addTo(kind, undefined, row);
    for (const kind of accountTotalKinds) this.#addTo(kind, row.account, row);
  }

  /**
   * Returns the totals of buckets that start from `from` to before `to`, each with its start, in milliseconds since the Unix
   * epoch, and its name, which is "" for requests without a value.
   */
  between(piece: UsagePiece & TotalKind): readonly { start: number; name: string; sum: UsageTotals }[] {
    const { from, to, account } = piece;
    return [...(this.#sums.get(idOf(piece, account)) ?? [])].flatMap(([start, groups]) =>
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
      const starts = this.#sums.get(idOf(kind, undefined));
      for (const start of starts?.keys() ?? []) if (start < hour) starts?.delete(start);
    }
  }

  /** Replaces the sums of an account by tag with those of requests without a tag. */
  forgetTags(account: string): void {
    const [tagged, byModel] = (["tag", "model"] as const).map((dimension) =>
      idOf({ dimension, grain: "day" }, account),
    );
    if (tagged === undefined || byModel === undefined) return;
    this.#sums.delete(tagged);
    for (const [start, models] of this.#sums.get(byModel) ?? [])
      for (const sum of models.values()) addTotals(this.#sumOf(tagged, start, ""), sum);
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

  #addTo(kind: TotalKind, account: string | undefined, row: UsageRow): void {
    const start = startOfBucket(kind.grain, row.at.getTime());
    for (const name of groupsOf(row, kind.dimension)) addRow(this.#sumOf(idOf(kind, account), start, name), row);
  }

  #sumOf(id: string, start: number, name: string): UsageSum {
    const starts = this.#sums.get(id) ?? new Map<number, Map<string, UsageSum>>();
    this.#sums.set(id, starts);
    const groups = starts.get(start) ?? new Map<string, UsageSum>();
    starts.set(start, groups);
    const sum = groups.get(name) ?? noUsage();
    groups.set(name, sum);
    return sum;
  }
}

const idOf = (kind: TotalKind, account: string | undefined): string =>
  account === undefined ? kindName(kind) : `${kindName(kind)} ${account}`;
