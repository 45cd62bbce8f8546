import { expect, it } from "vitest";
import { readHints } from "./hints.ts";

const textOf = (message: string, without?: string) => readHints(message, without).takeText(() => true);

it.each([
  ["f", "Hello from SDK", "Hello from SDK"],
  ["f", "f Hello from SDK", "Hello from SDK"],
  ["get", "widgets to get today", "widgets to today"],
  ["get_weather", "Please GET_WEATHER in Paris", "Please in Paris"],
  ["get", "run get_weather", "run get_weather"],
  ["a.b", "axb a.b", "axb"],
])("removes the tool name %j from %j only where it is a whole word", (tool, message, expected) => {
  expect(textOf(message, tool)).toBe(expected);
});

it("returns quoted texts in order", () => {
  const hints = readHints('say “one” and "two"');
  expect([hints.takeText(() => true), hints.takeText(() => true)]).toEqual(["one", "two"]);
});

it("needs time proportional to the number of open quotes", () => {
  const timeOf = (work: () => void) => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  };
  const leastOf = (work: () => void) => Math.min(...Array.from({ length: 8 }, () => timeOf(work)));
  const long = leastOf(() => readHints("“".repeat(16_000)));
  const short = leastOf(() => {
    for (let time = 0; time < 8; time++) readHints("“".repeat(2_000));
  });
  expect(long).toBeLessThan(Math.max(4 * short, 5));
});
