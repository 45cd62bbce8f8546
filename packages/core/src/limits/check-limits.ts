import type { Limits, WindowLimit } from "../ports/key-store.ts";
import { isPositiveInteger } from "../problems.ts";

/** The longest window of a limit: a week. Longer ones would overflow the timer of the request counter, which then forgets at once. */
export const longestWindowSeconds = 604_800;

/** The problems of a key's or a plan's limits, each with the member's name and the cure. */
export function checkLimits(name: string, limits: Limits): string[] {
  const { requests, tokens, concurrency } = limits;
  const problems = [...checkWindow(`${name}.requests`, requests), ...checkWindow(`${name}.tokens`, tokens)];
  if (concurrency !== undefined && !isPositiveInteger(concurrency)) {
    problems.push(`\`${name}.concurrency\` must be a whole number of at least 1.`);
  }
  return problems;
}

/** The limits themselves; throws a RangeError that lists the problems of limits that cannot be. */
export function checkedLimits(limits: Limits): Limits {
  const problems = checkLimits("limits", limits);
  if (problems.length > 0) throw new RangeError(problems.join(" "));
  return limits;
}

function checkWindow(name: string, window: WindowLimit | undefined): string[] {
  if (window === undefined) return [];
  const seconds = window.windowSeconds ?? 60;
  const problems: string[] = [];
  if (!isPositiveInteger(window.limit)) problems.push(`\`${name}.limit\` must be a whole number of at least 1.`);
  if (!isPositiveInteger(seconds) || seconds > longestWindowSeconds) {
    problems.push(`\`${name}.windowSeconds\` must be a whole number from 1 to ${longestWindowSeconds}.`);
  }
  return problems;
}
