import { totalKinds, type UsageRow } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { blockOf, keptAccountKinds, readAttemptName, storedKind } from "./usage-block.ts";

const month = new Date("2026-11-01T00:00:00Z");

const row = (number: number): UsageRow => ({
  id: `row-${number}`,
  at: new Date(month.getTime() + number * 3_600_000),
  requestId: `req_${number}`,
  account: `account-${number % 2}`,
  keyId: `key-${number % 3}`,
  plan: "pro",
  endpoint: "chat.completions",
  dialect: "chat",
  ...(number % 4 === 0 ? {} : { model: `model-${number % 4}` }),
  target: { provider: "acme", upstreamModel: "up 1" },
  status: number % 5 === 0 ? 502 : 200,
  ending: "complete",
  tokens: { input: number, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
  estimated: false,
  cost: 2n ** 60n + BigInt(number),
  durationMs: number * 500,
  attempts: 2,
  tags: ["a", "b"],
  timeline: [],
});

const rows = Array.from({ length: 30 }, (_, number) => row(number));
const block = blockOf(rows, month, "batch");
const ofKind = (kind: string) => block.filter((each) => Reflect.get(each, "kind") === kind);
const sum = (kind: string, column: string) =>
  ofKind(kind).reduce((total, each) => total + BigInt(Reflect.get(each, column) ?? 0), 0n);

it("each kind of totals of a block adds up to its rows", () => {
  const kinds = [
    ...totalKinds.map((kind) => storedKind(kind, undefined)),
    ...keptAccountKinds.map((kind) => storedKind(kind, "of an account")),
  ];
  expect(kinds).toHaveLength(15);
  for (const kind of kinds) {
    for (const column of ["requests", "failed", "input", "cost", "duration_3"])
      expect([kind, column, sum(kind, column)]).toEqual([kind, column, sum("row", column)]);
  }
  expect(sum("row", "cost")).toBe(rows.reduce((total, { cost }) => total + cost, 0n));
});

it("a block counts itself, and the attempts of its rows", () => {
  expect(ofKind("block")).toEqual([{ kind: "block", start: "2026-11-01 00:00:00.000", requests: 1 }]);
  expect(ofKind("batch")).toMatchObject([{ name: "batch" }]);
  expect(sum("attempt", "requests")).toBe(60n);
  expect(readAttemptName(" up 1")).toEqual({ failure: "", upstreamModel: "up 1" });
  expect(readAttemptName("timeout up 1")).toEqual({ failure: "timeout", upstreamModel: "up 1" });
});
