import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { matchesPattern } from "./name-pattern.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "*", "$&", ".", "\ud800"), maxLength: 8 });

describe("matchesPattern", () => {
  it("compares a pattern without a star as a name", () => {
    expect(matchesPattern("gpt-4o", "gpt-4o")).toBe(true);
    expect(matchesPattern("gpt-4o", "gpt-4o-mini")).toBe(false);
    expect(matchesPattern("", "")).toBe(true);
  });

  it("requires that the parts before and after a star do not overlap", () => {
    expect(matchesPattern("aba*ba", "aba")).toBe(false);
    expect(matchesPattern("aba*ba", "ababa")).toBe(true);
  });

  test.prop([text, text])("agrees with the equivalent regular expression", (pattern, name) => {
    const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const expression = new RegExp(`^${pattern.split("*").map(literal).join(".*")}$`, "s");
    expect(matchesPattern(pattern, name)).toBe(expression.test(name));
  });

  it("takes linear time", () => {
    expect(matchesPattern(`${"*a".repeat(5_000)}*b`, "a".repeat(100_000))).toBe(false);
  });
});
