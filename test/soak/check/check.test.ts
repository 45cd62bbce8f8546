import type { Entry, UsageRow } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import type { Outcome, SoakCall, SoakRecord } from "../load/soak-call.ts";
import type { SentAnswer } from "../upstream/counting-upstream.ts";
import { checkCharges, checkSums, type Evidence, sumCharges } from "./check-charges.ts";
import { checkUsage } from "./check-usage.ts";
import { checkHeap } from "./heap-slope.ts";

/** A stream in the chat dialect whose answer costs 20,000 nano-units. */
const call: SoakCall = {
  dialect: "chat",
  stream: true,
  model: "plain",
  plan: { id: "r-1", tokens: { input: 10, output: 5 }, pieces: 5, everyMs: 0 },
};
const whole: Outcome = { kind: "whole", status: 200 };
const left: Outcome = { kind: "cut", by: "client", status: 200 };
const refused: Outcome = { kind: "refused", status: 502 };
const sentWhole: SentAnswer = { attempts: 1, wholes: 1, contents: 5, faults: 0 };
const sentPart: SentAnswer = { attempts: 1, wholes: 0, contents: 2, faults: 0 };
const sentNothing: SentAnswer = { attempts: 3, wholes: 0, contents: 0, faults: 3 };

function entry(amount: bigint, dialect: "chat" | "messages" = "chat"): Entry {
  const receipt = { requestId: "r-1", model: "plain", dialect, keyId: "k" };
  return { sequence: 1n, account: "a", kind: "charge", amount, reference: "hold-1", receipt, at: new Date(0) };
}

function evidence(outcome: Outcome, sent: SentAnswer | undefined, rest: Partial<Evidence> = {}): Evidence {
  const record: SoakRecord = { call, outcome, account: "a", gateway: "process-0", bodyBytes: 200, endedAt: 0 };
  return { record, sent, entries: [], unsettled: false, ...rest };
}

const charged = (amount: bigint) => ({ entries: [entry(-amount)] });

describe("the check of charges", () => {
  it.each([
    ["a whole answer with its usage", evidence(whole, sentWhole, charged(20_000n))],
    ["a client that left, with an estimate", evidence(left, sentPart, charged(12_000n))],
    ["a client that left before the upstream read anything", evidence(left, undefined, charged(10_000n))],
    ["a refusal without a charge", evidence(refused, sentNothing)],
    ["a whole answer whose process was killed before it settled", evidence(whole, sentWhole, { unsettled: true })],
  ])("accepts %s", (_, each) => {
    expect(checkCharges([each])).toEqual([]);
  });

  it.each([
    ["a stream that was not settled when its client left", evidence(left, sentPart)],
    ["a charge that was posted twice", evidence(whole, sentWhole, { entries: [entry(-20_000n), entry(-20_000n)] })],
    ["a charge that was lost", evidence(whole, sentWhole)],
    ["a refusal that was charged", evidence(refused, sentNothing, charged(1n))],
    ["a charge of more than the hold", evidence(left, sentPart, charged(400_000n))],
    ["a refusal that was charged, and that no upstream received", evidence(refused, undefined, charged(1n))],
    ["an answer that no upstream sent", evidence(whole, undefined, charged(20_000n))],
    ["a receipt of another dialect", evidence(whole, sentWhole, { entries: [entry(-20_000n, "messages")] })],
    ["an answer that its dialect does not allow", evidence({ ...whole, kind: "broken" }, sentWhole, charged(20_000n))],
    ["an answer that the upstream sent twice", evidence(whole, { ...sentWhole, wholes: 2 }, charged(20_000n))],
  ])("finds %s", (_, each) => {
    expect(checkCharges([each])).toHaveLength(1);
  });

  it("allows sums to differ by the ranges of their requests, and no more", () => {
    const exact = evidence(whole, sentWhole, charged(20_000n));
    expect(sumCharges([exact])).toEqual({ ledger: 20_000n, upstream: 20_000n, bound: 0n });
    expect(checkSums(sumCharges([exact, evidence(left, sentPart, charged(12_000n))]))).toEqual([]);
    expect(checkSums(sumCharges([exact, evidence(whole, sentWhole)]))).toHaveLength(1);
  });
});

describe("the check of usage", () => {
  const row: UsageRow = {
    ...{ id: "u-1", at: new Date(0), requestId: "r-1", account: "a", keyId: "k", plan: "prepaid", dialect: "chat" },
    ...{ endpoint: "chat.completions", status: 200, ending: "complete", estimated: false, cost: 20_000n },
    tokens: { input: 10, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 5, reasoning: 0 },
    ...{ holdId: "hold-1", durationMs: 1, attempts: 1, tags: [], timeline: [] },
  };
  const exact = evidence(whole, sentWhole, charged(20_000n));
  const check = (rows: readonly UsageRow[], losing: readonly string[] = []) =>
    checkUsage([exact], { rows, losing: new Set(losing) });

  it("accepts a row for each charge, and none of a process that was killed", () => {
    expect(check([row])).toEqual([]);
    expect(check([], ["process-0"])).toEqual([]);
  });

  it.each([
    ["a row that is missing", []],
    ["a row of another cost", [{ ...row, cost: 19_999n }]],
    ["a row that was recorded twice", [row, { ...row, id: "u-2" }]],
    ["a row of another hold", [{ ...row, holdId: "hold-2" }]],
    ["a row of another dialect", [{ ...row, dialect: "messages" as const }]],
    ["a row of a request that nobody sent", [row, { ...row, requestId: "r-2" }]],
  ])("finds %s", (_, rows) => {
    expect(check(rows)).toHaveLength(1);
  });
});

describe("the check of the heap", () => {
  const noise = [0, 90_000, -60_000, 30_000, -90_000, 60_000];
  const samples = (perRequest: number) =>
    Array.from({ length: 60 }, (_, at) => ({
      requests: at * 100,
      bytes: 30_000_000 + perRequest * at * 100 + (noise[at % noise.length] ?? 0),
    }));

  it("accepts noise, and growth below the floor", () => {
    expect(checkHeap(samples(0), 0)).toEqual([]);
    expect(checkHeap(samples(100), 1_000_000)).toEqual([]);
  });

  it("finds 200 bytes that stay of each request", () => {
    expect(checkHeap(samples(200), 1_000_000)).toHaveLength(1);
  });
});
