import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ModelConfig } from "@tollgate/core";
import type { ChatCompletionChunk, ProviderAdapter, ProviderCall } from "@tollgate/core/provider";
import type { Journal } from "./journal.ts";

/** The most output tokens that clients ask for. */
export const outputCap = 32;

const ownModel = { id: "proof", maxOutputTokens: 1_000, contextWindow: 8_000, price: { input: "2.50", output: "10" } };

/**
 * Returns the chat models that cost something, with the stand-in in place of their providers; a model of its own if there are
 * none.
 */
export function modelsOf(models: readonly ModelConfig[], provider: ProviderAdapter): readonly ModelConfig[] {
  const priced = models.filter(({ kind, price }) => kind !== "embedding" && price !== "free");
  if (priced.length === 0) return [{ ...ownModel, targets: [{ provider, model: "proof" }] }];
  return priced.map((model) => ({ ...model, targets: model.targets.map((target) => ({ ...target, provider })) }));
}

/** A provider that answers by itself, within milliseconds or after a few renewals of the hold. */
export function standIn(journal: Journal, heartbeatMs: number): ProviderAdapter {
  const wait = () => sleep(randomInt(20) === 0 ? 2 * heartbeatMs : randomInt(1, 20));
  const usage = ({ requestId, request }: ProviderCall) => {
    const [input, output] = [randomInt(1, 20), randomInt(1, (request.max_completion_tokens ?? 1) + 1)];
    journal.write({ did: "send", requestId, input, output });
    return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  };
  const piece = { choices: [{ index: 0, delta: { content: "word " } }] };
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  async function* chunks(call: ProviderCall): AsyncGenerator<ChatCompletionChunk> {
    yield piece;
    await wait();
    yield piece;
    await wait();
    yield end;
    yield { choices: [], usage: usage(call) };
  }
  return {
    name: "stand-in",
    capabilities: { streamUsage: true, outputCapField: "max_completion_tokens", pricedFields: [], cancel: "stops" },
    async complete(call) {
      await wait();
      const message = { role: "assistant", content: "word" };
      return { choices: [{ index: 0, message, finish_reason: "stop" }], usage: usage(call) };
    },
    stream: async (call) => ({ kind: "chunks", chunks: chunks(call) }),
  };
}
