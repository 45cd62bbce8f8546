import { expect, it } from "vitest";
import { readRequestId } from "./exchange.ts";

it.each(["a", "req_1.2-3", "x".repeat(128)])("keeps %s", (given) => {
  expect(readRequestId(given)).toBe(given);
});

it.each([undefined, "", "x".repeat(129), "a b", "a\n", "é", "a/b", 'a"'])("does not keep %j", (given) => {
  expect(readRequestId(given)).toBeUndefined();
});
