import { expect, it } from "vitest";
import { TimedPattern } from "./timed-pattern.ts";

it.each([
  ["^[A-Z]{3}$", "ABC", true],
  ["^[A-Z]{3}$", "abc", false],
  ["^\\p{Lu}$", "É", true],
  ["(", "(", false],
])("matches %s with %s: %s", (pattern, text, expected) => {
  expect(new TimedPattern(pattern).matches(text)).toBe(expected);
});

it("stops a pattern that backtracks exponentially, and does not run it again", () => {
  const exponential = new TimedPattern("^(a+)+$");
  const before = process.cpuUsage();
  for (let i = 0; i < 1_000; i++) expect(exponential.matches(`${"a".repeat(40)}!`)).toBe(false);
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});
