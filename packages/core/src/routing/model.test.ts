import { describe, expect, expectTypeOf, it } from "vitest";
import type { ChatModelConfig, EmbeddingModelConfig, ModelConfig, Target } from "../ports/model-config.ts";
import { checkModels } from "../ports/model-schema.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { readModel } from "./model.ts";

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

describe("a price that is surely that of one token", () => {
  const tiny = { input: "0.0000025", output: "0.00001" };
  const problem = (place: string, price: string, right: string) =>
    `\`models (model)\` has a \`${place}\` of ${price}, which looks like the price of one token. Prices are per million tokens: write "${right}". If it is right, set \`allowTinyPrices: true\`.`;

  it.each([
    ["a model", model([{}], { price: tiny }), "price"],
    ["a target", model([{ price: tiny }]), "targets[0].price"],
    ["the cost of a target", model([{ cost: tiny }]), "targets[0].cost"],
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
