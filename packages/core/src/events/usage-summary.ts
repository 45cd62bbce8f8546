import { checkedWholeNumber } from "../options/problems.ts";
import type { UsageQuery, UsageSummaryRow } from "../ports/usage-store.ts";
import { startOfBucket } from "./usage-pieces.ts";
import { addTotals, noUsage, type UsageSum } from "./usage-totals.ts";

/** Returns the number of groups of a summary that have a row of their own. Throws a RangeError unless it is at least 1. */
export const topOf = ({ top = 20 }: UsageQuery): number => checkedWholeNumber("top", top, 1);

/** A row of a summary whose sums can still be added to. */
type MergedRow = Omit<UsageSummaryRow, keyof UsageSum> & UsageSum;

/** Collects the sums of a summary by bucket and group. A group without a value has the name "". */
export class UsageSummary {
  readonly #query: UsageQuery;
  readonly #top: number;
  readonly #buckets = new Map<number, Map<string, UsageSum>>();
  readonly #groups = new Map<string, UsageSum>();

  constructor(query: UsageQuery) {
    this.#query = query;
    this.#top = topOf(query);
  }

  /** Returns the sums to which the usage of a time, in milliseconds since the Unix epoch, is added. */
  sumOf(at: number, group: string): UsageSum {
    const { bucket, from } = this.#query;
    const start = bucket === "all" ? from.getTime() : startOfBucket(bucket, at);
    return entryOf(
      entryOf(this.#buckets, start, () => new Map()),
      group,
      noUsage,
    );
  }

  /** Returns the rows of the summary: the groups with the highest cost, and the sum of the others. */
  rows(): UsageSummaryRow[] {
    const top = this.#topGroups();
    const rows = [...this.#buckets].flatMap(([start, groups]) => {
      const others = noUsage();
      const named = [...groups].flatMap(([group, sum]): UsageSummaryRow[] => {
        if (!top.has(group)) addTotals(others, sum);
        return top.has(group)
          ? [{ start: new Date(start), ...(group === "" ? {} : { group }), others: false, ...sum }]
          : [];
      });
      return others.requests === 0 ? named : [...named, { start: new Date(start), others: true, ...others }];
    });
    return orderSummary(rows);
  }

  #topGroups(): ReadonlySet<string> {
    for (const groups of this.#buckets.values()) {
      for (const [group, sum] of groups) addTotals(entryOf(this.#groups, group, noUsage), sum);
    }
    const ranked = [...this.#groups].sort(
      ([oneName, one], [otherName, other]) => byCost(one, other) || (oneName < otherName ? -1 : 1),
    );
    return new Set(ranked.slice(0, this.#top).map(([name]) => name));
  }
}

/**
 * Merges the rows of the pieces of a summary: adds up those with the same start and group, leaves out those that have no
 * requests left after a subtraction, and puts them in order.
 */
export function mergeSummary(rows: Iterable<MergedRow>): UsageSummaryRow[] {
  const merged = new Map<string, MergedRow>();
  for (const row of rows) {
    const id = `${row.start.getTime()} ${row.others} ${row.group ?? ""}`;
    const known = merged.get(id);
    if (known === undefined) merged.set(id, row);
    else addTotals(known, row);
  }
  return orderSummary([...merged.values()].filter(({ requests }) => requests > 0));
}

/** Sorts the rows of a summary by `start` and then by cost, highest first; equal ones by requests and name. */
function orderSummary(rows: readonly UsageSummaryRow[]): UsageSummaryRow[] {
  return [...rows].sort(
    (a, b) =>
      a.start.getTime() - b.start.getTime() ||
      byCost(a, b) ||
      Number(a.others) - Number(b.others) ||
      ((a.group ?? "") < (b.group ?? "") ? -1 : 1),
  );
}

function byCost(a: UsageSum | UsageSummaryRow, b: UsageSum | UsageSummaryRow): number {
  if (a.cost !== b.cost) return a.cost > b.cost ? -1 : 1;
  return b.requests - a.requests;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
