import type { ModelConfig, Plan } from "@tollgate/core";
import type { Upstream } from "./upstream.ts";

/** The public ids of the models. */
export const modelIds = { plain: "everyday-1", reasoning: "thinker-1", hidden: "insider-1" } as const;

/** The models: one with vision, one that reasons, and one that the prepaid plan does not include. */
export function offeredModels({ provider, model, reasoningModel }: Upstream): readonly ModelConfig[] {
  const everyday = {
    contextWindow: 128_000,
    maxOutputTokens: 8_192,
    targets: [{ provider, model, cost: { input: "0.10", cachedInput: "0.05", output: "0.40" } }],
  };
  return [
    {
      ...everyday,
      id: modelIds.plain,
      displayName: "Everyday",
      vision: true,
      imageTokens: 2_048,
      price: { input: "0.15", cachedInput: "0.075", output: "0.60" },
    },
    {
      ...everyday,
      id: modelIds.reasoning,
      displayName: "Thinker",
      maxOutputTokens: 16_384,
      reasoning: { effortLevels: ["low", "medium", "high"], defaultEffort: "medium" },
      price: { input: "1.10", output: "4.40" },
      targets: [{ provider, model: reasoningModel, cost: { input: "0.80", output: "3.20" } }],
    },
    { ...everyday, id: modelIds.hidden, displayName: "Insider", price: "free" },
  ];
}

/** The prepaid plan charges per token and includes two models. The subscription includes all models, but not `response_format`. */
export const plans: readonly Plan[] = [
  {
    id: "prepaid",
    billing: "prepaid",
    models: [modelIds.plain, modelIds.reasoning],
    limits: { requests: { limit: 100_000, windowSeconds: 60 } },
  },
  {
    id: "subscription",
    billing: "none",
    limits: { requests: { limit: 600, windowSeconds: 60 } },
  },
];
