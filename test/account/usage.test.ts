import { memoryUsageStore } from "@tollgate/core";
import type { UsageRow } from "@tollgate/core/store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { read } from "./reading.ts";

const now = new Date("2026-03-11T10:00:00Z");

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.useRealTimers());

const plainRow = {
  requestId: "r",
  account: "acme",
  keyId: "key-1",
  plan: "prepaid",
  endpoint: "chat.completions",
  dialect: "chat",
  model: "plain",
  target: { provider: "secret-provider", upstreamModel: "secret-model" },
  status: 200,
  ending: "complete",
  tokens: { input: 10, cachedInput: 3, cacheWrite5m: 2, cacheWrite1h: 1, output: 20, reasoning: 5 },
  estimated: false,
  cost: 100n,
  upstreamCost: 77n,
  durationMs: 1,
  attempts: 1,
  tags: [],
  timeline: [],
} as const satisfies Partial<UsageRow>;

const rowOf = (at: string, members: Partial<UsageRow> = {}): UsageRow => ({
  ...plainRow,
  id: crypto.randomUUID(),
  at: new Date(at),
  ...members,
});

async function reporting(rows: readonly UsageRow[]) {
  const store = memoryUsageStore();
  await store.record(rows);
  const tested = gatewayUnderTest({ usage: { store } });
  const secret = await tested.key();
  return { ask: (query: string) => read(tested, secret, `/usage${query}`) };
}

const rows = [
  rowOf("2026-03-09T08:00:00Z", { tags: ["red", "blue"], endUser: "ann", keyId: "key-2", cost: 1_000n }),
  rowOf("2026-03-10T08:00:00Z", { tags: ["red"], endUser: "bob", dialect: "messages", status: 502 }),
  rowOf("2026-03-11T09:00:00Z", { model: "thinker", status: 429 }),
  rowOf("2026-03-11T09:00:00Z", { account: "other", cost: 9_999n, endUser: "eve", tags: ["red"] }),
  rowOf("2026-02-01T00:00:00Z", { cost: 5n }),
];

const brief = (data: readonly { start: string; group: string | null; cost: string }[]) =>
  data.map(({ start, group, cost }) => `${start.slice(0, 10)} ${group} ${cost}`);

describe("GET /usage", () => {
  it("has the last seven days of the account, and nothing of others or of the upstreams", async () => {
    const { ask } = await reporting(rows);
    const { body, text } = await ask("");
    expect(body).toMatchObject({
      from: "2026-03-04T00:00:00.000Z",
      to: "2026-03-12T00:00:00.000Z",
      bucket: "day",
      group_by: null,
    });
    expect(body.data[2]).toEqual({
      start: "2026-03-11T00:00:00.000Z",
      group: null,
      others: false,
      requests: 1,
      failed: 0,
      refused: 1,
      tokens: { input: 10, cached_input: 3, cache_write_5m: 2, cache_write_1h: 1, output: 20, reasoning: 5 },
      cost: "0.0000001",
    });
    expect(brief(body.data)).toEqual([
      "2026-03-09 null 0.000001",
      "2026-03-10 null 0.0000001",
      "2026-03-11 null 0.0000001",
    ]);
    expect(text).not.toMatch(/secret|upstream|margin|eve/);
  });

  it.each([
    ["model", ["plain 0.0000011", "thinker 0.0000001"]],
    ["key", ["key-2 0.000001", "key-1 0.0000002"]],
    ["end_user", ["ann 0.000001", "null 0.0000001", "bob 0.0000001"]],
    ["tag", ["red 0.0000011", "blue 0.000001", "null 0.0000001"]],
    ["dialect", ["chat 0.0000011", "messages 0.0000001"]],
  ])("is grouped by %s", async (group, expected) => {
    const { ask } = await reporting(rows);
    const { body } = await ask(`?bucket=all&group_by=${group}`);
    expect(body.group_by).toBe(group);
    expect(brief(body.data)).toEqual(expected.map((each) => `2026-03-04 ${each}`));
  });

  it("is grouped by day, hour and month", async () => {
    const { ask } = await reporting(rows);
    expect(brief((await ask("?group_by=day&from=2026-03-10")).body.data)).toEqual([
      "2026-03-10 2026-03-10 0.0000001",
      "2026-03-11 2026-03-11 0.0000001",
    ]);
    const { body } = await ask("?bucket=hour&from=2026-03-10T08:30:00Z&to=2026-03-11");
    expect([body.from, body.to, body.data.length]).toEqual(["2026-03-10T08:00:00.000Z", "2026-03-11T00:00:00.000Z", 1]);
    expect(brief((await ask("?bucket=month&from=2026-02-01")).body.data)).toEqual([
      "2026-02-01 null 0.000000005",
      "2026-03-01 null 0.0000012",
    ]);
  });

  it("is a CSV file, in which a name cannot be a formula", async () => {
    const { ask } = await reporting([rowOf("2026-03-11T09:00:00Z", { endUser: '=cmd|"x"!A1' })]);
    const { headers, text } = await ask("?group_by=end_user&format=csv");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="usage.csv"');
    expect(text.split("\r\n")).toEqual([
      '"start","group","others","requests","failed","refused","tokens.input","tokens.cached_input","tokens.cache_write_5m","tokens.cache_write_1h","tokens.output","tokens.reasoning","cost"',
      `"2026-03-11T00:00:00.000Z","'=cmd|""x""!A1",false,1,0,0,10,3,2,1,20,5,"0.0000001"`,
      "",
    ]);
  });

  it.each([
    ["?group_by=account", "group_by", '"model" or "key"'],
    ["?bucket=week", "bucket", '"hour" or "day"'],
    ["?format=xml", "format", '"json" or "csv"'],
    ["?from=yesterday", "from", 'such as "2027-01-31"'],
    ["?from=2026-03-01T00:00:00", "from", "with its zone"],
    ["?to=2026-13-40", "to", "must be a date"],
    ["?from=2026-03-11&to=2026-03-10", "from", "before `to`"],
    ["?from=2025-01-01", "from", "at most 366 days"],
    ["?bucket=hour&from=2026-01-01", "from", "at most 31 days"],
    ["?group_by=model&from=2025-12-01", "from", 'at most 93 days apart for the bucket "day" in groups'],
    ["?group_by=model&bucket=all&from=2025-01-01", "from", "at most 366 days"],
    ["?bucket=hour&group_by=day", "bucket", 'must be "day"'],
  ])("refuses %s", async (query, param, words) => {
    const { ask } = await reporting([]);
    const { status, body } = await ask(query);
    expect([status, body.error.code, body.error.param]).toEqual([400, "invalid_request", param]);
    expect(body.error.message).toContain(words);
  });

  it("refuses to sum the rows of too many requests, and sums them by model, key and day", async () => {
    const many = Array.from({ length: 5_001 }, (_, index) =>
      rowOf(new Date(Date.UTC(2026, 2, 11, 9) + index).toISOString(), { keyId: `key-${index % 3}` }),
    );
    const { ask } = await reporting([rowOf("2026-03-10T09:00:00Z"), ...many]);
    for (const query of ["?group_by=end_user", "?group_by=tag&bucket=hour", "?group_by=model&bucket=hour"]) {
      const { status, body } = await ask(query);
      expect([query, status, body.error.param]).toEqual([query, 400, "from"]);
      expect(body.error.message).toContain("500");
    }
    for (const query of [
      "",
      "?group_by=model",
      "?group_by=key&bucket=all",
      "?group_by=tag",
      "?bucket=hour",
      "?group_by=day",
    ])
      expect([query, (await ask(query)).status]).toEqual([query, 200]);
    expect(brief((await ask("?group_by=end_user&to=2026-03-11")).body.data)).toEqual(["2026-03-10 null 0.0000001"]);
  });

  it("tells the option of the operator who records no usage", async () => {
    const tested = gatewayUnderTest();
    const { status, body } = await read(tested, await tested.key(), "/usage");
    expect([status, body.error.code]).toEqual([404, "not_configured"]);
    expect(body.error.message).toContain("option `usage`");
  });
});
