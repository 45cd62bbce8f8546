import type { ModelConfig, Plan } from "@tollgate/core";
import type { Upstream } from "./upstream.ts";

/** The public ids of the models on offer. */
export const modelIds = { plain: "everyday-1", reasoning: "thinker-1", hidden: "insider-1" } as const;

/** The models on offer: one with vision, one that reasons, and one that the prepaid plan leaves out. */
export function offeredModels({ provider, model, reasoningModel }: Upstream): readonly ModelConfig[] {
  const everyday = { contextWindow: 128_000, maxOutputTokens: 8_192, targets: [{ provider, model }] };
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
      targets: [{ provider, model: reasoningModel }],
    },
    { ...everyday, id: modelIds.hidden, displayName: "Insider", price: "free" },
  ];
}

/** Prepaid accounts pay by the token and have two of the models; subscribers have all, without `response_format` since they list no features. */
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
