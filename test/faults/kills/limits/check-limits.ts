import type { LimitState, Window } from "@tollgate/core/store";
import { type LimitsCall, type LimitsMoment, subjects } from "./calls.ts";
import { type Use, usesIn } from "./uses.ts";

/** The findings about the limits that the workers shared. */
export interface LimitsFindings {
  /** One sentence for each exceeded limit and each wrong refusal. */
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

type Answered = Required<LimitsMoment["recorded"]>;

/** Checks that no limit was exceeded, by the windows that the limiter returned. */
export function checkLimits(moments: readonly LimitsMoment[]): LimitsFindings {
  const answers = moments.flatMap(({ happened, recorded: { call, begunAt, answer, answeredAt } }) =>
    happened === "answered" && answer !== undefined && answeredAt !== undefined
      ? [{ call, begunAt, answer, answeredAt }]
      : [],
  );
  const uses = usesIn(moments);
  const clock = clockOf(answers);
  const checks = Object.entries(subjects).flatMap(([subject, { requests, tokens, concurrency }]) => {
    const own = answers.filter(({ call }) => "subject" in call && call.subject === subject);
    const used = uses.filter((use) => use.subject === subject);
    return [
      ...(requests === undefined ? [] : [checkRequests(own, requests, cutOff(moments, subject))]),
      ...(tokens === undefined ? [] : [checkTokens(used, windowEnds(own), tokens, clock)]),
      ...(concurrency === undefined ? [] : [checkPlaces(used, concurrency)]),
    ].map(({ violations, figures }) => ({
      violations: violations.map((violation) => `${subject}: ${violation}`),
      figures: Object.fromEntries(Object.entries(figures).map(([name, figure]) => [`${subject} ${name}`, figure])),
    }));
  });
  const errors = answers.flatMap(({ call, answer }) =>
    answer.error === undefined ? [] : [`${call.verb} threw: ${answer.error}`],
  );
  return {
    violations: [...checks.flatMap(({ violations }) => violations), ...errors],
    figures: Object.assign({}, ...checks.map(({ figures }) => figures)),
  };
}

/** Checks that each window grants exactly its limit. */
function checkRequests(
  answers: readonly Answered[],
  { limit, windowSeconds }: Window,
  unanswered: number,
): LimitsFindings {
  const windows = new Map<number, { granted: number; refused: number }>();
  const ends = windowEnds(answers);
  let spare = unanswered;
  for (const { answer } of answers) {
    // Each result computes the end separately, so it can differ by a millisecond.
    const end = ends.find((each) => Math.abs(each - (answer.state?.resetAt ?? 0)) < windowSeconds * 500);
    if (end === undefined) continue;
    const window = windows.get(end) ?? { granted: 0, refused: 0 };
    windows.set(end, window);
    if (answer.granted) window.granted++;
    else window.refused++;
  }
  const violations: string[] = [];
  for (const { granted, refused } of windows.values()) {
    if (granted > limit) violations.push(`${granted} requests were granted where ${limit} were allowed.`);
    // Requests of killed workers may have been granted without a recorded result.
    if (refused > 0 && granted < limit) spare -= limit - granted;
    if (spare < 0) violations.push(`A window of ${limit} refused after ${granted} requests.`);
  }
  const most = Math.max(0, ...[...windows.values()].map(({ granted }) => granted));
  return { violations, figures: { windows: windows.size, "most in one": most } };
}

/**
 * Checks each window: the tokens that were certainly granted within it, less those refunded within it, must not exceed
 * the limit, since all of them counted when the last one was granted.
 */
function checkTokens(
  uses: readonly Use[],
  ends: readonly number[],
  { limit, windowSeconds }: Window,
  clock: Clock,
): LimitsFindings {
  const taken = ends.map((end) => {
    const begin = end - windowSeconds * 1_000;
    const inside = uses.filter((use) => clock.earliest(use.askedAt) >= begin && clock.latest(use.grantedAt) < end);
    const kept = inside.map(({ amount, settled }) =>
      settled !== undefined && clock.earliest(settled.at) < end ? Math.min(amount, settled.used) : amount,
    );
    return kept.reduce((sum, each) => sum + each, 0);
  });
  const exceeded = taken.filter((sum) => sum > limit);
  return {
    violations: exceeded.map((sum) => `${sum} tokens were granted in a window where ${limit} were allowed.`),
    figures: { windows: taken.length, "most in one": Math.max(0, ...taken) },
  };
}

/**
 * Checks the concurrent places. A place is certainly taken from the result that granted it until its settlement begins
 * or its lease ends.
 */
function checkPlaces(uses: readonly Use[], concurrency: number): LimitsFindings {
  const changes = uses.flatMap(({ grantedAt, settled, leaseEndsAt }) => {
    const [begin, end] = [grantedAt + 1, Math.min(settled?.at ?? leaseEndsAt, leaseEndsAt)];
    return begin < end
      ? [
          { at: begin, by: 1 },
          { at: end, by: -1 },
        ]
      : [];
  });
  let [taken, most] = [0, 0];
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    taken += by;
    most = Math.max(most, taken);
  }
  const violations = most > concurrency ? [`${most} ran at once where ${concurrency} were allowed.`] : [];
  return { violations, figures: { granted: uses.length, "most at once": most } };
}

function cutOff(moments: readonly LimitsMoment[], subject: string): number {
  const isOwn = (call: LimitsCall) => call.verb === "count" && call.subject === subject;
  return moments.filter(({ happened, recorded: { call, answer } }) => happened === "begun" && isOwn(call) && !answer)
    .length;
}

/** Collects the ends of windows from refusals for tokens and from all counts of requests. */
function windowEnds(answers: readonly Answered[]): readonly number[] {
  const states = answers.flatMap(({ answer: { state, refusedBy } }) =>
    state === undefined || refusedBy === "concurrency" ? [] : [state.resetAt],
  );
  const sorted = [...new Set(states)].sort((a, b) => a - b);
  return sorted.filter((end, at) => end - (sorted[at - 1] ?? 0) > 500);
}

/** The bounds of the limiter's time, derived from the local times of calls and results. */
interface Clock {
  earliest(local: number): number;
  latest(local: number): number;
}

function clockOf(answers: readonly Answered[]): Clock {
  const states = answers.flatMap(({ begunAt, answeredAt, answer: { state } }): [number, number, LimitState][] =>
    state === undefined ? [] : [[begunAt, answeredAt, state]],
  );
  // Both clocks are truncated to milliseconds.
  const least = states.reduce((most, [, answeredAt, { now }]) => Math.max(most, now - answeredAt - 1), -Infinity);
  const greatest = states.reduce((fewest, [begunAt, , { now }]) => Math.min(fewest, now + 1 - begunAt), Infinity);
  return { earliest: (local) => local + least, latest: (local) => local + 1 + greatest };
}
