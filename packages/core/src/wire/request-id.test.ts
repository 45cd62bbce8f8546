import { expect, it } from "vitest";
import { requestId } from "./request-id.ts";

it.each(["a", "req_1.2-3", "x".repeat(128)])("keeps %s", (incoming) => {
  expect(requestId(incoming)).toBe(incoming);
});

it.each([null, "", "x".repeat(129), "a b", "a\n", "é", "a/b", 'a"'])("makes a new one in place of %j", (incoming) => {
  expect(requestId(incoming)).toMatch(/^req_[0-9a-f-]{36}$/);
});

it("makes a new one each time, which it would keep itself", () => {
  const made = requestId(null);
  expect(requestId(null)).not.toBe(made);
  expect(requestId(made)).toBe(made);
});
