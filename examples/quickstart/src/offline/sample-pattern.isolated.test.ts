import { expect, it, vi } from "vitest";
import { samplePattern } from "./sample-pattern.ts";

vi.mock("./timed-pattern.ts", async () => ({
  TimedPattern: (await import("../../test-support/untimed-pattern.ts")).UntimedPattern,
}));

it.each([
  "^[A-Z]{3}$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^(?:red|green)+ (?<shade>\\w+)?$",
  "^[^a-z]+\\.[\\]x]$",
  "^\\+?[1-9]\\d{1,14}$",
  "^\\p{Lu}\\S*é$",
  "^$",
  "^#[0-9a-fA-F]{6}$",
])("returns a text that matches %s", (pattern) => {
  expect(samplePattern(pattern)).toMatch(new RegExp(pattern, "u"));
});

it.each(["(?=b)a", "(a)\\1{3}", "(", "[z-a]", `${"(".repeat(100_000)}`, "((a{900}){900}){400}"])(
  "returns undefined for %.20s",
  (pattern) => {
    expect(samplePattern(pattern)).toBeUndefined();
  },
);
