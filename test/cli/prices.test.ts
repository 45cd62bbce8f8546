import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelConfig, memoryUsageStore, type PriceList } from "@tollgate/core";
import type { UsageRow } from "@tollgate/core/store";
import { priceDate } from "@tollgate/prices";
import { afterEach, describe, expect, it } from "vitest";
import { scriptedProvider } from "../support/scripted-provider.ts";
import { type CliUnderTest, openCli } from "./in-process.ts";

let cli: CliUnderTest;
afterEach(() => cli.close());

const providerOf = (name: string) => ({ ...scriptedProvider(), name, capabilities: scriptedProvider().capabilities });

const model = (
  id: string,
  price: PriceList,
  target: { provider: string; model: string; cost?: PriceList },
): ModelConfig => ({
  id,
  maxOutputTokens: 1_000,
  price,
  targets: [{ ...target, provider: providerOf(target.provider) }],
});

const gemini = {
  input: "1.25",
  output: "10",
  cachedInput: "0.125",
  tiers: [{ aboveInputTokens: 200_000, input: "2.5", output: "15", cachedInput: "0.25" }],
};

describe("prices check", () => {
  it("shows margins, and where a cost differs from the published prices, and proposes them", async () => {
    const models = [
      model("same", { ...gemini, input: "2" }, { provider: "google", model: "gemini-2.5-pro", cost: gemini }),
      model(
        "flat",
        { input: "2", output: "12" },
        { provider: "google", model: "gemini-2.5-pro", cost: { input: "1.25", output: "10" } },
      ),
      model("new", { input: "2", output: "12", cachedInput: "0.2" }, { provider: "openai", model: "gpt-5" }),
      model(
        "own",
        { input: "1", output: "1" },
        { provider: "vllm", model: "house", cost: { input: "0.4", output: "0" } },
      ),
      model("bare", { input: "1", output: "1" }, { provider: "vllm", model: "house" }),
    ];
    cli = openCli({ models });
    const { code, out } = await cli.run(["prices", "check"]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "MODEL  TARGET                 COST     MARGIN IN %  OUT %  LEAST %",
        "same   google/gemini-2.5-pro  same            37.5    0.0      0.0",
        "flat   google/gemini-2.5-pro  differs         37.5   16.6     16.6",
        "new    openai/gpt-5           absent          37.5   16.6     16.6",
        "own    vllm/house             unknown         60.0  100.0     60.0",
        "bare   vllm/house             unknown",
        "",
        "MODEL  TARGET                 PRICE        ABOVE TOKENS  COST  PUBLISHED",
        "flat   google/gemini-2.5-pro  cachedInput                1.25      0.125",
        "flat   google/gemini-2.5-pro  input              200000  1.25        2.5",
        "flat   google/gemini-2.5-pro  output             200000    10         15",
        "flat   google/gemini-2.5-pro  cachedInput        200000  1.25       0.25",
        "",
        "Published costs that you can configure:",
        `flat at google: cost: ${JSON.stringify(gemini)}`,
        'new at openai: cost: {"input":"1.25","output":"10","cachedInput":"0.125"}',
        "",
        `The published prices are of ${priceDate}. Nothing was changed.`,
        "",
      ].join("\n"),
    );
  });

  it("writes JSON, for a function of models and other names of providers", async () => {
    const target = { provider: "gemini-eu", model: "gemini-2.5-pro", cost: { ...gemini, input: "1.3" } };
    const models = [model("large", gemini, target)];
    cli = openCli({ models: () => models });
    const { out } = await cli.run(["prices", "check", "--providers", "gemini-eu=google", "--json"]);
    expect(JSON.parse(out)).toEqual({
      priceDate,
      targets: [
        {
          model: "large",
          provider: "gemini-eu",
          upstreamModel: "gemini-2.5-pro",
          cost: "differs",
          differences: [{ price: "input", cost: "1.3", published: "1.25" }],
          margin: { input: "-4.0", output: "0.0", least: "-4.0" },
          published: gemini,
        },
      ],
    });
  });

  it.each<[what: string, records: object, argv: readonly string[], message: string]>([
    ["without models", {}, [], "This command needs `models`. Export it from"],
    ["with invalid models", { models: [{ id: "m" }] }, [], "`models (m)"],
    ["with an invalid list of a function", { models: () => [{ id: "m" }] }, [], "`models (m)"],
    [
      "with a name alone",
      { models: [] },
      ["--providers", "azure"],
      '--providers cannot be "azure": write the name in your gateway, =, and the published name',
    ],
  ])("exits with 2 %s", async (_, records, argv, message) => {
    cli = openCli(records);
    expect(await cli.run(["prices", "check", ...argv])).toEqual({
      code: 2,
      out: "",
      err: expect.stringContaining(message),
    });
  });
});

const row = (changes: Partial<UsageRow>): UsageRow => ({
  id: crypto.randomUUID(),
  at: new Date(Date.now() - 60_000),
  requestId: "req_1",
  account: "acme",
  keyId: "key_1",
  plan: "prepaid",
  endpoint: "chat.completions",
  dialect: "chat",
  model: "large",
  status: 200,
  ending: "complete",
  tokens: { input: 1_000, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 100, reasoning: 0 },
  estimated: false,
  cost: 1_500_000n,
  holdId: crypto.randomUUID(),
  durationMs: 120,
  attempts: 1,
  tags: [],
  timeline: [],
  ...changes,
});

describe("prices what-if", () => {
  async function whatIf(prices: unknown, ...argv: readonly string[]) {
    const usage = memoryUsageStore();
    await usage.record([
      row({ upstreamCost: 1_000_000n }),
      row({ at: new Date("2026-01-01T12:00:00Z"), sessionId: "session-1" }),
      row({ at: new Date("2026-01-02T12:00:00Z"), model: "small" }),
    ]);
    cli = openCli({ usage });
    writeFileSync(join(cli.folder, "new.json"), typeof prices === "string" ? prices : JSON.stringify(prices));
    return cli.run(["prices", "what-if", "--prices", "new.json", ...argv]);
  }

  it("shows what the last seven days would have cost", async () => {
    const { code, out } = await whatIf({ large: { input: "2", output: "10" } }, "--to", "0");
    expect(code).toBe(0);
    expect(out.split("\n").slice(2)).toEqual([
      "MODEL  REQUESTS    COST  WHAT IF  DIFFERENCE  MARGIN  WHAT-IF MARGIN",
      "large         1  0.0015    0.003      0.0015  0.0005           0.002",
      "",
    ]);
  });

  it("sums the models of a period, with tiers and lists that begin at a time", async () => {
    const large = [
      { input: "1", output: "5" },
      { input: "2", output: "10", from: "2026-01-01T00:00:00Z" },
    ];
    const small = { input: "1", output: "5", tiers: [{ aboveInputTokens: 999, input: "3", output: "15" }] };
    const { out } = await whatIf({ large, small }, "--from", "2026-01-01", "--to", "2026-02-01");
    expect(out).toBe(
      [
        "From 2026-01-01T00:00:00.000Z to 2026-02-01T00:00:00.000Z",
        "",
        "MODEL  REQUESTS    COST  WHAT IF  DIFFERENCE  MARGIN  WHAT-IF MARGIN",
        "large         1  0.0015    0.003      0.0015",
        "small         1  0.0015   0.0045       0.003",
        "TOTAL         2   0.003   0.0075      0.0045",
        "1 of the requests are turns of assistants. The calls of a turn are priced as one request.",
        "",
      ].join("\n"),
    );
    cli.close();
    const json = await whatIf({ large, small }, "--from", "2026-01-01", "--to", "2026-02-01", "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      from: "2026-01-01T00:00:00.000Z",
      models: [{ model: "large", requests: 1, turns: 1, cost: "0.0015", whatIf: "0.003" }, { model: "small" }],
      total: { difference: "0.0045" },
    });
  });

  it.each<[what: string, prices: unknown, message: string]>([
    [
      "an invalid price",
      { large: { input: 1, output: "1" } },
      "new.json cannot be used: `large.input` must be a decimal string",
    ],
    [
      "no price",
      {},
      'new.json cannot be used: It has no prices. Write { "model": { "input": "2.50", "output": "10" } }.',
    ],
    ["a list", [], "new.json cannot be used: It has no prices."],
    ["no JSON", "large: 1", "new.json cannot be used: "],
  ])("exits with 2 for %s", async (_, prices, message) => {
    expect(await whatIf(prices)).toEqual({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  it("exits with 2 for a missing file and an empty period", async () => {
    cli = openCli({ usage: memoryUsageStore() });
    const missing = await cli.run(["prices", "what-if", "--prices", "none.json"]);
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("The file none.json cannot be read: ") });
    cli.close();
    const empty = await whatIf({ large: { input: "1", output: "1" } }, "--from", "2026-02-01", "--to", "2026-01-01");
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining("--from must be before --to") });
  });
});
