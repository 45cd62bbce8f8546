import type { ModelConfig, Plan } from "@tollgate/core";
import type { Upstream } from "./upstream.ts";

/** The public ids of the models. */
export const modelIds = {
  plain: "everyday-1",
  reasoning: "thinker-1",
  hidden: "insider-1",
  embedding: "vectors-1",
} as const;

/** The models: one for most requests, one that reasons, one that the prepaid plan does not include, and one for embeddings. */
export function offeredModels({ provider, model, reasoningModel, embeddings }: Upstream): readonly ModelConfig[] {
  const { dimensions } = embeddings;
  const everyday = {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    vision: true,
    imageTokens: 2_048,
    targets: [{ provider, model, cost: { input: "0.10", cachedInput: "0.05", output: "0.40" } }],
  };
  return [
    {
      ...everyday,
      id: modelIds.plain,
      displayName: "Everyday",
      price: { input: "0.15", cachedInput: "0.075", output: "0.60" },
    },
    {
      ...everyday,
      id: modelIds.reasoning,
      // Coding agents ask for these if they are not told a model, most of them with a reasoning effort.
      aliases: ["claude-*", "gpt-*"],
      displayName: "Thinker",
      reasoning: { effortLevels: ["none", "low", "medium", "high", "xhigh", "max"], defaultEffort: "medium" },
      price: { input: "1.10", output: "4.40" },
      targets: [{ provider, model: reasoningModel, cost: { input: "0.80", output: "3.20" } }],
    },
    { ...everyday, id: modelIds.hidden, displayName: "Insider", price: "free" },
    {
      id: modelIds.embedding,
      kind: "embedding",
      displayName: "Vectors",
      contextWindow: 8_192,
      price: { input: "0.03", output: "0" },
      ...(dimensions === undefined ? {} : { dimensions }),
      targets: [{ provider: embeddings.provider, model: embeddings.model, cost: { input: "0.02", output: "0" } }],
    },
  ];
}

/** The prepaid plan charges per token and includes three models. The subscription includes all models, but not `response_format`. */
export const plans: readonly Plan[] = [
  {
    id: "prepaid",
    billing: "prepaid",
    models: [modelIds.plain, modelIds.reasoning, modelIds.embedding],
    limits: { requests: { limit: 100_000, windowSeconds: 60 } },
  },
  {
    id: "subscription",
    billing: "none",
    limits: { requests: { limit: 600, windowSeconds: 60 } },
  },
];
