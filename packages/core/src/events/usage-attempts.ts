import type { TargetAttempts, UsageRow } from "../ports/usage-store.ts";

/** A number of attempts at a target with the same outcome. */
export interface AttemptCount {
  readonly provider: string;
  readonly upstreamModel: string;
  /** The class of the failure; "" for attempts that did not fail. */
  readonly failure: string;
  readonly attempts: number;
}

/** Returns the attempts of a request by target and outcome. */
export function attemptCounts({ target, attempts, attemptsByTarget }: UsageRow): readonly AttemptCount[] {
  const only = target === undefined || attempts === 0 ? [] : [{ ...target, attempts, failed: {} }];
  return (attemptsByTarget ?? only).flatMap(({ failed, ...tried }) => {
    const failures = Object.entries(failed);
    const unfailed = failures.reduce((left, [, count]) => left - count, tried.attempts);
    return [
      ...(unfailed > 0 ? [{ ...tried, failure: "", attempts: unfailed }] : []),
      ...failures.map(([failure, count]) => ({ ...tried, failure, attempts: count })),
    ];
  });
}

/** Adds counts up by target, in the order of the names of targets. */
export function groupAttempts(counts: Iterable<AttemptCount>): readonly TargetAttempts[] {
  const groups = new Map<string, { -readonly [Name in keyof TargetAttempts]: TargetAttempts[Name] }>();
  for (const { provider, upstreamModel, failure, attempts } of counts) {
    const name = `${provider}/${upstreamModel}`;
    const group = groups.get(name) ?? { provider, upstreamModel, attempts: 0, failed: {} };
    groups.set(name, group);
    group.attempts += attempts;
    if (failure !== "") group.failed = { ...group.failed, [failure]: (group.failed[failure] ?? 0) + attempts };
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
