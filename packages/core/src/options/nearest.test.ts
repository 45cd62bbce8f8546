import { expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const names = ["type", "url", "method", "headers", "responseDirective", "InterpretResponse", "interpretResponse"];

it.each([
  ["header", "headers"],
  ["response_directive", "responseDirective"],
  ["mehtod", "method"],
  ["URL", "url"],
  ["ulr", "url"],
  ["intepretRespone", "InterpretResponse"],
])("finds the name that %s resembles", (written, meant) => {
  expect(nearest(written, names)).toBe(meant);
});

it.each(["", "timeout", "x".repeat(100_000), "__proto__", "retries"])("finds nothing for other names", (written) => {
  expect(nearest(written, names)).toBeUndefined();
});
