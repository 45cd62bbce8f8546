import { groupAttempts, type TargetAttempts, type UsageSum, type UsageSummaryRow } from "@tollgate/core/store";

/** A row of a summary whose sums can still be added to. */
type MutableRow = Omit<UsageSummaryRow, keyof UsageSum> & UsageSum;

/** Copies the rows of the summaries of all shards, and turns those of groups beyond the `top` with the highest cost into others. */
export function restrictToTop(rows: readonly UsageSummaryRow[], top: number): readonly MutableRow[] {
  const named = topGroups(rows, top);
  return rows.map((row) => {
    const sums = {
      ...row,
      tokens: { ...row.tokens },
      durations: [...row.durations],
      firstContents: [...row.firstContents],
    };
    if (row.others || named.has(row.group ?? "")) return sums;
    const { group: _group, ...others } = sums;
    return { ...others, others: true };
  });
}

function topGroups(rows: readonly UsageSummaryRow[], top: number): ReadonlySet<string> {
  const groups = new Map<string, { cost: bigint; requests: number }>();
  for (const { others, group = "", cost, requests } of rows) {
    if (others) continue;
    const sum = groups.get(group) ?? { cost: 0n, requests: 0 };
    groups.set(group, { cost: sum.cost + cost, requests: sum.requests + requests });
  }
  const ranked = [...groups].sort(([oneName, one], [otherName, other]) => {
    if (one.cost !== other.cost) return one.cost > other.cost ? -1 : 1;
    return other.requests - one.requests || (oneName < otherName ? -1 : 1);
  });
  return new Set(ranked.slice(0, top).map(([name]) => name));
}

/** Adds up the attempts at each target over all shards. */
export function mergeAttempts(parts: readonly TargetAttempts[]): readonly TargetAttempts[] {
  return groupAttempts(
    parts.flatMap(({ failed, ...tried }) => {
      const failures = Object.entries(failed).map(([failure, attempts]) => ({ ...tried, failure, attempts }));
      const rest = failures.reduce((left, { attempts }) => left - attempts, tried.attempts);
      return [{ ...tried, failure: "", attempts: rest }, ...failures];
    }),
  );
}
