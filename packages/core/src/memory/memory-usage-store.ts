import { dividePieces, type TotalKind, type UsagePiece } from "../events/usage-pieces.ts";
import { groupsOf, matchesFilter } from "../events/usage-row.ts";
import { UsageSummary } from "../events/usage-summary.ts";
import { addRow, addTotals, groupAttempts } from "../events/usage-totals.ts";
import { checkedWholeNumber } from "../options/problems.ts";
import { requireKnown } from "../options/require-known.ts";
import type {
  ForgottenUsage,
  TargetAttempts,
  UsagePage,
  UsagePosition,
  UsageQuery,
  UsageRow,
  UsageStore,
  UsageSummaryRow,
} from "../ports/usage-store.ts";
import { nextTurn } from "../runtime/timers.ts";
import { MemoryUsageTotals } from "./memory-usage-totals.ts";
import { nextOf } from "./pages.ts";

/** How much usage a memory store keeps. */
export interface MemoryUsageStoreOptions {
  /** Maximum number of rows. When there are more, the oldest are removed, as by `prune`. Default: 100,000. */
  readonly keepRows?: number;
}

/**
 * Returns a UsageStore in the memory of this process, for development and tests. Usage is lost at exit. Its rows are
 * limited; its totals by day are not, and take about 1 KB for each account, key, and model, dialect or tag of an account that has
 * requests on a day.
 */
export function memoryUsageStore(options: MemoryUsageStoreOptions = {}): UsageStore {
  requireKnown("memoryUsageStore", options, { keepRows: true });
  return new MemoryUsageStore(checkedWholeNumber("keepRows", options.keepRows ?? 100_000, 1));
}

/** The number of rows that are summed up between two turns of the event loop. */
const stepSize = 5_000;

class MemoryUsageStore implements UsageStore {
  readonly #keepRows: number;
  /** In the order of time and id. */
  readonly #rows: UsageRow[] = [];
  readonly #totals = new MemoryUsageTotals();

  constructor(keepRows: number) {
    this.#keepRows = keepRows;
  }

  record(rows: readonly UsageRow[]): number {
    let added = 0;
    for (const row of rows) {
      const index = this.#countBefore(row);
      const present = this.#rows[index];
      if (present !== undefined && compare(present, row) === 0) continue;
      this.#rows.splice(index, 0, row);
      this.#totals.add(row);
      added += 1;
    }
    this.#remove(this.#rows.length - this.#keepRows);
    return added;
  }

  async summary(query: UsageQuery): Promise<UsageSummaryRow[]> {
    const summary = new UsageSummary(query);
    for (const { totals, ...range } of dividePieces(query)) {
      if (totals === undefined) await this.#addRows(summary, query, range);
      else this.#addTotals(summary, query, { ...range, ...totals });
    }
    return summary.rows();
  }

  attempts({ from, to }: Parameters<UsageStore["attempts"]>[0]): readonly TargetAttempts[] {
    return groupAttempts(this.#totals.attempts(from.getTime(), to.getTime()));
  }

  list({ from, to, filter, limit, before }: Parameters<UsageStore["list"]>[0]): UsagePage {
    const wanted = checkedWholeNumber("limit", limit, 1);
    const first = from === undefined ? 0 : this.#countBefore({ at: from, id: "" });
    const ends = [to && { at: to, id: "" }, before].flatMap((end) => (end ? [this.#countBefore(end)] : []));
    const found: UsageRow[] = [];
    for (let index = Math.min(this.#rows.length, ...ends) - 1; index >= first && found.length <= wanted; index--) {
      const row = this.#rows[index];
      if (row !== undefined && matchesFilter(row, filter)) found.push(row);
    }
    const rows = found.slice(0, wanted);
    return { rows, ...nextOf(rows, found.length, ({ at, id }) => ({ at, id })) };
  }

  prune(before: Date): number {
    return this.#remove(this.#countBefore({ at: before, id: "" }));
  }

  forget({ account }: Parameters<UsageStore["forget"]>[0]): ForgottenUsage {
    this.#totals.forgetTags(account);
    let changed = 0;
    for (const [index, row] of this.#rows.entries()) {
      if (row.account !== account || isForgotten(row)) continue;
      const { endUser: _, ...others } = row;
      this.#rows[index] = { ...others, tags: [], timeline: [] };
      changed += 1;
    }
    return { changed };
  }

  async #addRows(summary: UsageSummary, { groupBy, filter }: UsageQuery, { from, to }: UsagePiece): Promise<void> {
    for (const [index, row] of this.#between(from, to).entries()) {
      if (index % stepSize === stepSize - 1) await nextTurn();
      if (!matchesFilter(row, filter)) continue;
      const groups = groupBy === undefined ? [""] : groupsOf(row, groupBy);
      for (const group of groups) addRow(summary.sumOf(row.at.getTime(), group), row);
    }
  }

  #addTotals(summary: UsageSummary, { groupBy, filter }: UsageQuery, piece: UsagePiece & TotalKind): void {
    const only = filter?.[piece.dimension];
    for (const { start, name, sum } of this.#totals.between(piece)) {
      if (only === undefined || only === name) addTotals(summary.sumOf(start, groupBy ? name : ""), sum);
    }
  }

  /** Removes the oldest rows, with the totals of their hours, and returns how many. */
  #remove(count: number): number {
    const removed = this.#rows.splice(0, Math.max(0, count));
    const last = removed.at(-1);
    if (last !== undefined) this.#totals.prune(last.at.getTime());
    return removed.length;
  }

  #between(from: Date, to: Date): UsageRow[] {
    return this.#rows.slice(this.#countBefore({ at: from, id: "" }), this.#countBefore({ at: to, id: "" }));
  }

  /** Returns the number of rows before a position. */
  #countBefore(position: UsagePosition): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const row = this.#rows[middle];
      if (row !== undefined && compare(row, position) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isForgotten = ({ endUser, tags, timeline }: UsageRow): boolean =>
  endUser === undefined && tags.length === 0 && timeline.length === 0;

function compare(a: UsagePosition, b: UsagePosition): number {
  const time = a.at.getTime() - b.at.getTime();
  if (time !== 0) return time;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}
