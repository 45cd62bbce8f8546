import { memoryUsageStore } from "@tollgate/core";
import type { UsageRow, UsageStore } from "@tollgate/core/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliUnderTest, openCli } from "./in-process.ts";

let usage: UsageStore;
let cli: CliUnderTest;

beforeEach(() => {
  usage = memoryUsageStore();
  cli = openCli({ usage });
});
afterEach(() => cli.close());

const row = (number: number, changes: Partial<UsageRow> = {}): UsageRow => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  at: new Date(Date.now() - number * 1_000),
  requestId: `req_${number}`,
  account: "acme",
  keyId: "key_1",
  plan: "prepaid",
  endpoint: "chat.completions",
  dialect: "chat",
  model: "everyday-1",
  target: { provider: "openai", upstreamModel: "gpt" },
  status: 200,
  ending: "complete",
  tokens: { input: 10, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 5, reasoning: 0 },
  estimated: false,
  cost: 1_500_000n,
  durationMs: 120,
  attempts: 1,
  tags: ["web"],
  timeline: [
    { step: "admitted", at: 1 },
    { step: "attempt", at: 2, detail: "openai/gpt" },
  ],
  ...changes,
});

describe("usage show", () => {
  it("sums the requests of the last seven days by a dimension, and names the sum of the others", async () => {
    await usage.record([
      row(1),
      row(2),
      row(3, { model: "thinker-1", cost: 9_000_000n }),
      row(4, { model: "tiny-1", cost: 1n }),
    ]);
    const { code, out } = await cli.run(["usage", "show", "--by", "model", "--top", "2"], { columns: 80 });
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "MODEL       REQUESTS  FAILED  REFUSED  INPUT  OUTPUT         COST",
        "thinker-1          1       0        0     10       5        0.009",
        "everyday-1         2       0        0     20      10        0.003",
        "(others)           1       0        0     10       5  0.000000001",
        "",
      ].join("\n"),
    );
  });

  it("filters, and writes JSON with amounts as decimal strings", async () => {
    await usage.record([row(1), row(2, { account: "globex" }), row(3, { status: 502, ending: "upstream_failed" })]);
    const { out } = await cli.run(["usage", "show", "--account", "acme", "--failed", "--json"]);
    expect(JSON.parse(out).rows).toMatchObject([
      { requests: 1, failed: 1, cost: "0.0015", tokens: { input: 10, cachedInput: 0 } },
    ]);
  });

  it("tells failures from refusals", async () => {
    await usage.record([row(1), row(2, { status: 429 }), row(3, { status: 502 })]);
    const [sum] = JSON.parse((await cli.run(["usage", "show", "--json"])).out).rows;
    expect(sum).toMatchObject({ requests: 3, failed: 1, refused: 1 });
    for (const [option, id] of [
      ["--failed", row(3).id],
      ["--refused", row(2).id],
    ] as const) {
      const { out } = await cli.run(["requests", "list", option, "--json"]);
      expect(JSON.parse(out).requests).toMatchObject([{ id }]);
    }
  });

  it("shows the attempts at each target, also of one that answers nothing", async () => {
    const dead = { provider: "dead", upstreamModel: "x", attempts: 2, failed: { timeout: 1, credentials: 1 } };
    const alive = { provider: "openai", upstreamModel: "gpt", attempts: 1, failed: {} };
    await usage.record([row(1, { attempts: 3, attemptsByTarget: [dead, alive] })]);
    const { out } = await cli.run(["usage", "show", "--by", "target"], { columns: 80 });
    expect(out.split("\n").slice(-4)).toEqual([
      "TARGET      ATTEMPTS  ANSWERED  FAILED ATTEMPTS",
      "dead/x             2         0  1 timeout, 1 credentials",
      "openai/gpt         1         1",
      "",
    ]);
    const shape = JSON.parse((await cli.run(["usage", "show", "--by", "target", "--json"])).out);
    expect(shape.attempts).toEqual([dead, alive]);
  });

  it.each([
    [["--from", "1h", "--to", "2h"], "--from must be before --to."],
    [["--bucket", "hour", "--from", "60d"], "--bucket is too fine: hour allows 31 days. Use day, month or all"],
  ])("rejects the period %j", async (options, words) => {
    const { code, out, err } = await cli.run(["usage", "show", ...options]);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(words)]);
  });

  it.each([
    ["--by", "colour", "model, account, key, target, dialect, status, end_user or tag"],
    ["--bucket", "minute", "hour, day, month or all"],
    ["--from", "yesterday", "a duration ago such as 7d"],
  ])("rejects %s %s and says what is possible", async (name, value, cure) => {
    const { code, err } = await cli.run(["usage", "show", name, value]);
    expect([code, err]).toEqual([2, expect.stringContaining(cure)]);
  });
});

it("usage show --json has the upstream cost and the margin only if a target has a cost", async () => {
  await usage.record([row(1)]);
  const [without] = JSON.parse((await cli.run(["usage", "show", "--json"])).out).rows;
  expect(without).not.toHaveProperty("margin");
  await usage.record([row(2, { upstreamCost: 500_000n })]);
  const [costed] = JSON.parse((await cli.run(["usage", "show", "--json"])).out).rows;
  expect(costed).toMatchObject({ cost: "0.003", upstreamCost: "0.0005", margin: "0.001" });
});

describe("requests", () => {
  it("lists the newest first in the width of the terminal", async () => {
    await usage.record(Array.from({ length: 600 }, (_, number) => row(number)));
    const { out } = await cli.run(["requests", "list", "--last", "3"], { columns: 70 });
    const lines = out.split("\n");
    expect(lines).toHaveLength(5);
    expect(lines.slice(1, 4).map((line) => line.slice(-6).trim())).toEqual(["req_0", "req_1", "req_2"]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(70);
    const all = JSON.parse((await cli.run(["requests", "list", "--last", "1000", "--json"])).out);
    expect(all.requests).toHaveLength(600);
  });

  it("shows one request by either id with its timeline", async () => {
    await usage.record([row(7)]);
    const byRequest = await cli.run(["requests", "show", "req_7"]);
    const byId = await cli.run(["requests", "show", row(7).id]);
    expect(byId.out).toBe(byRequest.out);
    expect(byId.out).toContain("tokens    10 in, 5 out\n");
    expect(byId.out).toMatch(/MS {2}STEP {6}DETAIL\n {1}1 {2}admitted\n {1}2 {2}attempt {3}openai\/gpt\n$/);
  });

  it("shows a request by the id of its answer, with what the upstream of a failed attempt said", async () => {
    const step = { step: "attempt.failed", at: 9, detail: "credentials", status: 404, message: "No such model." };
    await usage.record([row(7, { answerId: "msg_01", timeline: [step] })]);
    const { out } = await cli.run(["requests", "show", "msg_01"]);
    expect(out).toContain("answer    msg_01\n");
    expect(out).toContain(" 9  attempt.failed  credentials 404 No such model.\n");
    const shown = JSON.parse((await cli.run(["requests", "show", "msg_01", "--json"])).out);
    expect(shown).toMatchObject({ answerId: "msg_01", timeline: [step] });
  });

  it("writes JSON in camel case, without absent members", async () => {
    await usage.record([row(7, { status: 502, errorCode: "upstream_error", sessionId: "session-1" })]);
    const shown = JSON.parse((await cli.run(["requests", "show", "req_7", "--json"])).out);
    expect(shown).toEqual({
      ...row(7),
      at: expect.stringMatching(/Z$/),
      cost: "0.0015",
      status: 502,
      errorCode: "upstream_error",
      sessionId: "session-1",
    });
  });

  it("says how to find a request that is unknown", async () => {
    const { code, err } = await cli.run(["requests", "show", "req_none"]);
    expect([code, err]).toEqual([1, expect.stringContaining("tollgate requests list")]);
  });
});
