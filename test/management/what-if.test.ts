import { formatAmount, memoryUsageStore, type PriceList } from "@tollgate/core";
import type { UsageRow } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";
import { type Scene, setScene } from "./scene.ts";
import { usageRow } from "./usage-row.ts";

const tokens = (input: number, output: number) => ({
  input,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
  reasoning: 0,
});
const charged = (members: Partial<UsageRow>) => usageRow({ holdId: crypto.randomUUID(), ...members });
const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
const from = "2026-01-01T00:00:00Z";
const to = "2026-01-02T00:00:00Z";

const ask = (scene: Scene, prices: object, period: object = { from, to }) =>
  scene.ask("POST", "/prices/what-if", { as: "viewer", body: { ...period, prices } });

describe("POST /prices/what-if", () => {
  it("prices the tokens of each charged request of the period by other prices", async () => {
    await using scene = await setScene();
    scene.stores.usage.record([
      charged({ at: at(1), tokens: tokens(1_000, 10), cost: 1_020_000n, upstreamCost: 500_000n }),
      charged({ at: at(2), tokens: tokens(1_001, 10), cost: 1_021_000n }),
      charged({ at: at(3), tokens: tokens(0, 0), cost: 0n, status: 502 }),
      usageRow({ at: at(4), tokens: tokens(9_000, 10), cost: 0n, plan: "subscription" }),
      charged({ at: at(5), model: "org/large", tokens: tokens(100, 0), cost: 100_000n, sessionId: "session-1" }),
      charged({ at: at(24), tokens: tokens(9_000, 10), cost: 9_000n }),
    ]);
    const tier = { above_input_tokens: 1_000, input: "4", output: "8" };
    const plain = { input: "2", output: "4", request: "0.001", tiers: [tier] };
    const { json } = await ask(scene, { plain, "org/large": { input: "1", output: "2" }, unused: plain });
    expect(json).toEqual({
      from: "2026-01-01T00:00:00.000Z",
      to: "2026-01-02T00:00:00.000Z",
      models: [
        {
          model: "plain",
          requests: 3,
          turns: 0,
          cost: "0.002041",
          what_if: "0.008124",
          difference: "0.006083",
          margin: "0.00052",
          what_if_margin: "0.00254",
        },
        {
          model: "org/large",
          requests: 1,
          turns: 1,
          cost: "0.0001",
          what_if: "0.0001",
          difference: "0",
          margin: null,
          what_if_margin: null,
        },
        {
          model: "unused",
          requests: 0,
          turns: 0,
          cost: "0",
          what_if: "0",
          difference: "0",
          margin: null,
          what_if_margin: null,
        },
      ],
      total: {
        requests: 4,
        turns: 1,
        cost: "0.002141",
        what_if: "0.008224",
        difference: "0.006083",
        margin: "0.00052",
        what_if_margin: "0.00254",
      },
    });
  });

  it("reads every page of the rows, of the last seven days by default", async () => {
    await using scene = await setScene();
    const now = Date.now();
    scene.stores.usage.record(
      Array.from({ length: 450 }, (_, index) =>
        charged({ at: new Date(now - 60_000 - (index % 7) * 1_000), tokens: tokens(1, 0), cost: 1_000n }),
      ),
    );
    scene.stores.usage.record([charged({ at: new Date(now - 8 * 86_400_000) })]);
    const { json } = await ask(scene, { plain: { input: "3", output: "1" } }, {});
    expect(json).toMatchObject({ total: { requests: 450, cost: "0.00045", what_if: "0.00135" } });
  });

  it.each<[what: string, prices: object, period: object, message: string]>([
    [
      "a misspelt price",
      { plain: { input: "1", outptu: "1" } },
      {},
      "`prices.plain.outptu` is not a member of a price list. Did you mean output?",
    ],
    [
      "a price that is a number",
      { plain: { input: 1, output: "1" } },
      {},
      "`prices.plain.input` must be a price per million tokens",
    ],
    [
      "a tier above 0",
      { plain: { input: "1", output: "1", tiers: [{ above_input_tokens: 0, input: "1", output: "1" }] } },
      {},
      "`prices.plain.tiers.0.above_input_tokens` must be a whole number from 1, not 0.",
    ],
    [
      "an empty period",
      { plain: { input: "1", output: "1" } },
      { from: to, to: from },
      "`from` must be before `to`. Send an earlier time.",
    ],
    [
      "a long period",
      { plain: { input: "1", output: "1" } },
      { from: "2025-01-01T00:00:00Z", to },
      "`from` is more than 31 days before `to`. Send a later time.",
    ],
  ])("refuses %s", async (_, prices, period, message) => {
    await using scene = await setScene();
    const { status, json } = await ask(scene, prices, period);
    expect(status).toBe(400);
    expect(Object(json).error.message).toContain(message);
  });

  it("agrees with what a gateway with these prices charges", async () => {
    const lists: readonly PriceList[] = [
      { input: "1.37", output: "2.11", cachedInput: "0.13" },
      { input: "0.731", output: "4.7", tiers: [{ aboveInputTokens: 500, input: "1.9", output: "7.3" }] },
    ];
    const usages = Array.from({ length: 40 }, (_, index) => ({
      prompt_tokens: 37 * index,
      completion_tokens: 3 + index,
      total_tokens: 38 * index + 3,
      prompt_tokens_details: { cached_tokens: 7 * index },
    }));
    const costs = await Promise.all(lists.map((list) => costOf(list, usages)));
    const [first, second] = costs;
    await using scene = await setScene();
    scene.stores.usage.record(first?.rows ?? []);
    for (const [index, sum] of [first, second].entries()) {
      const { tiers = [], cachedInput, ...list } = lists[index] ?? expect.fail();
      const { json } = await ask(
        scene,
        {
          plain: {
            ...list,
            ...(cachedInput === undefined ? {} : { cached_input: cachedInput }),
            tiers: tiers.map(({ aboveInputTokens, ...rates }) => ({ above_input_tokens: aboveInputTokens, ...rates })),
          },
        },
        {},
      );
      expect(json).toMatchObject({ total: { requests: 40, cost: first?.cost, what_if: sum?.cost } });
    }
  });
});

/** Sends requests with these usages to a gateway, and returns their rows and the cost of all. */
async function costOf(price: PriceList, usages: readonly object[]) {
  const usage = memoryUsageStore();
  const waiting = [...usages];
  const provider = scriptedProvider({ complete: async () => completionOf("Hi", waiting.shift()) });
  const models = [{ id: "plain", maxOutputTokens: 1_000, price, targets: [{ provider, model: "upstream-model" }] }];
  const { gateway, chat, key } = gatewayUnderTest({ models, usage: { store: usage } });
  const secret = await key();
  for (const _ of usages) expect((await chat(secret, { max_tokens: 1_000 })).status).toBe(200);
  await gateway.drain();
  const { rows } = await usage.list({ limit: 100 });
  return { rows, cost: formatAmount(rows.reduce((sum, row) => sum + row.cost, 0n)) };
}
