import { describe, expect, expectTypeOf, it } from "vitest";
import type { ChatModelConfig, EmbeddingModelConfig, ModelConfig, Target } from "../ports/model-config.ts";
import { checkModels } from "../ports/model-schema.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { modelAt, readModel } from "./model.ts";

const provider: ProviderAdapter = {
  name: "none",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
};

const model = (targets: readonly Partial<Target>[], more: Partial<ChatModelConfig> = {}): ChatModelConfig => ({
  id: "model",
  maxOutputTokens: 10,
  price: { input: "1", output: "2" },
  targets: targets.map((target) => ({ provider, model: "up", ...target })),
  ...more,
});

describe("a model", () => {
  it("sorts its targets by priority, which defaults to their position", () => {
    const { targets } = readModel(
      model([{ model: "a" }, { model: "b" }, { model: "c", priority: 1.5 }, { model: "d", priority: 2 }]),
    );
    expect(targets.map(({ upstreamModel, priority, weight }) => [upstreamModel, priority, weight])).toEqual([
      ["a", 1, 1],
      ["c", 1.5, 1],
      ["b", 2, 1],
      ["d", 2, 1],
    ]);
  });

  it("accepts prompts up to the window of its largest target, and lists the window that the host configured", () => {
    const read = readModel(model([{ contextWindow: 500 }, {}, { contextWindow: 4_000 }], { contextWindow: 1_000 }));
    expect([read.contextWindow, read.entry["context_window"]]).toEqual([4_000, 1_000]);
    expect(readModel(model([{ contextWindow: 500 }, {}])).contextWindow).toBeUndefined();
    expect(readModel(model([{}])).contextWindow).toBeUndefined();
  });

  it("has no members of the other kind", () => {
    expectTypeOf<ChatModelConfig & { maxInputs: number }>().not.toExtend<ModelConfig>();
    type Embedding = Omit<EmbeddingModelConfig, "maxOutputTokens" | "vision" | "tools" | "reasoning">;
    expectTypeOf<Embedding>().toExtend<ModelConfig>();
    expectTypeOf<Embedding & { maxOutputTokens: number }>().not.toExtend<ModelConfig>();
    expectTypeOf<Embedding & { vision: true }>().not.toExtend<ModelConfig>();
    expectTypeOf<Embedding & { tools: true }>().not.toExtend<ModelConfig>();
    expectTypeOf<Embedding & { reasoning: NonNullable<ChatModelConfig["reasoning"]> }>().not.toExtend<ModelConfig>();
  });

  it("has the prices of all its targets", () => {
    const read = readModel(model([{}, { price: { input: "3", output: "1" } }]));
    expect(read.prices.map(({ input, output }) => [input, output])).toEqual([
      [1_000_000_000n, 2_000_000_000n],
      [3_000_000_000n, 1_000_000_000n],
    ]);
  });

  it("counts an image as the most tokens of any target, and a part of unknown size as the largest window or 200,000", () => {
    const sizes = (targets: readonly Partial<Target>[], more: Partial<ChatModelConfig> = {}) => {
      const { imageTokens, unknownPartTokens } = readModel(model(targets, more));
      return { imageTokens, unknownPartTokens };
    };
    const targets = [{ imageTokens: 1_445 }, { imageTokens: 48_169, contextWindow: 1_000_000 }, {}];
    expect(sizes(targets, { vision: true, imageTokens: 2_048 })).toEqual({
      imageTokens: 48_169,
      unknownPartTokens: 1_000_000,
    });
    expect(sizes([{}])).toEqual({ imageTokens: 0, unknownPartTokens: 200_000 });
    expect(sizes([{ contextWindow: 8_000 }]).unknownPartTokens).toBe(8_000);
    expect(sizes([{ contextWindow: 8_000 }, {}]).unknownPartTokens).toBe(200_000);
  });

  it("with vision needs `imageTokens`, of its own or of every target", () => {
    const vision = { vision: true };
    expect(checkModels([model([{}], vision)])).toEqual([
      expect.stringMatching(/^`models \(model\)` has `vision` and no `imageTokens`. Give the most prompt tokens/),
    ]);
    expect(checkModels([model([{ imageTokens: 1_445 }, {}], vision)])).toHaveLength(1);
    expect(checkModels([model([{ imageTokens: 1_445 }], vision)])).toEqual([]);
    expect(checkModels([model([{}], { ...vision, imageTokens: 1_445 })])).toEqual([]);
    expect(checkModels([model([{}], { vision: false })])).toEqual([]);
  });

  it.each([
    [{ imageTokens: 0 }, /`models \(model\)\.targets\[1\]\.imageTokens` must be a whole number/],
    [{ priority: Number.NaN }, /priority/],
    [{ priority: Number.POSITIVE_INFINITY }, /priority/],
    [{ weight: 0 }, /weight/],
    [{ weight: -1 }, /weight/],
    [{ weight: Number.NaN }, /weight/],
    [{ weight: Number.POSITIVE_INFINITY }, /weight/],
    [{ contextWindow: 0 }, /`models \(model\)\.targets\[1\]\.contextWindow` must be a whole number/],
    [{ contextWindow: Number.NaN }, /contextWindow/],
  ])("reports a target with %o", (invalid, problem) => {
    expect(checkModels([model([{}, invalid])])).toEqual([expect.stringMatching(problem)]);
  });
});

describe("a model with price lists of several dates", () => {
  const [january, february] = [new Date("2027-01-01T00:00:00Z"), new Date("2027-02-01T00:00:00Z")];
  const read = readModel(
    model(
      [
        {
          price: [
            { input: "5", output: "5" },
            { input: "6", output: "6", cacheWrite: "7", from: february },
          ],
        },
        {
          cost: [
            { input: "0.5", output: "0.5" },
            { input: "0.7", output: "0.7", from: january },
          ],
        },
      ],
      {
        price: [
          { input: "2", output: "2", from: january },
          { input: "1", output: "1" },
        ],
      },
    ),
  );

  it.each<[time: string, prices: readonly bigint[], cost: bigint, ttls: readonly string[]]>([
    ["2026-12-31T23:59:59.999Z", [5_000_000_000n, 1_000_000_000n], 500_000_000n, []],
    ["2027-01-01T00:00:00.000Z", [5_000_000_000n, 2_000_000_000n], 700_000_000n, []],
    ["2027-02-01T00:00:00.000Z", [6_000_000_000n, 2_000_000_000n], 700_000_000n, ["5m"]],
  ])("has those that apply: %s", (time, prices, cost, ttls) => {
    const { targets, prices: all } = modelAt(read, Date.parse(time));
    expect(targets.map(({ price }) => price.input)).toEqual(prices);
    expect(all.map(({ input }) => input)).toEqual(prices);
    expect(targets[1]?.cost?.input).toBe(cost);
    expect([...(targets[0]?.cacheTtls ?? [])]).toEqual(ttls);
  });

  it("is one model where no list has a date", () => {
    const plain = readModel(model([{}]));
    expect(modelAt(plain, Number.MAX_SAFE_INTEGER)).toBe(plain);
  });
});

describe("a price that is surely that of one token", () => {
  const tiny = { input: "0.0000025", output: "0.00001" };
  const usual = { input: "1", output: "2" };
  const problem = (place: string, price: string, right: string) =>
    `\`models (model)\` has a \`${place}\` of ${price}, which looks like the price of one token. Prices are per million tokens: write "${right}". If it is right, set \`allowTinyPrices: true\`.`;

  it.each([
    ["a model", model([{}], { price: tiny }), "price"],
    ["a target", model([{ price: tiny }]), "targets[0].price"],
    ["the cost of a target", model([{ cost: tiny }]), "targets[0].cost"],
    ["a tier", model([{}], { price: { ...usual, tiers: [{ ...tiny, aboveInputTokens: 1 }] } }), "price.tiers[0]"],
    ["a later list", model([{ cost: [usual, { ...tiny, from: new Date(0) }] }]), "targets[0].cost[1]"],
  ])("is refused with what to write: %s", (_what, config, place) => {
    expect(checkModels([config])).toEqual([
      problem(`${place}.input`, "0.0000025", "2.5"),
      problem(`${place}.output`, "0.00001", "10"),
    ]);
    expect(checkModels([{ ...config, allowTinyPrices: true }])).toEqual([]);
  });

  it.each([
    { input: "0", output: "0" },
    { input: "0.0001", output: "0.0001" },
    { input: "1", output: "2", request: "0.00001" },
  ])("is not %j", (price) => {
    expect(checkModels([model([{}], { price })])).toEqual([]);
  });
});
