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

it("gives up a pattern that takes for ever, and does not begin again", () => {
  const forEver = new TimedPattern("^(a+)+$");
  const began = performance.now();
  for (let i = 0; i < 1_000; i++) expect(forEver.matches(`${"a".repeat(40)}!`)).toBe(false);
  expect(performance.now() - began).toBeLessThan(5_000);
});
