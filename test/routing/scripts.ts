import { type ChatCompletionChunk, ProviderError, type ProviderFailure } from "@tollgate/core/provider";
import {
  chunksOf,
  completionOf,
  type Script,
  type ScriptedProvider,
  scriptedProvider,
} from "../support/scripted-provider.ts";

/** A provider with this name. */
export function named(name: string, script: Script = {}): ScriptedProvider {
  return Object.assign(scriptedProvider(script), { name });
}

/** Answers every call with this text. */
export const answersWith = (text: string): Script => ({
  complete: async () => completionOf(text),
  stream: () => chunksOf([text]),
});

/** Fails every call before the answer. */
export function fails(
  failure: ProviderFailure,
  details: { readonly status?: number; readonly retryAfterSeconds?: number; readonly requestOnly?: boolean } = {},
): Script {
  const reject = () => Promise.reject(new ProviderError(failure, `It was ${failure}.`, details));
  return { complete: reject, stream: () => chunksBefore([], reject) };
}

/** Sends nothing until the call is aborted. */
export const hangs: Script = {
  complete: ({ signal }) => aborted(signal),
  stream: ({ signal }) => chunksBefore([], () => aborted(signal)),
};

/** Uses one script for each call, and the last one for all further calls. */
export function inSequence(...scripts: readonly [Script, ...Script[]]): Script {
  let calls = 0;
  const next = () => scripts[Math.min(calls++, scripts.length - 1)] ?? scripts[0];
  return {
    complete: async (call) => (await next().complete?.(call)) ?? completionOf("unscripted"),
    stream: (call) => next().stream?.(call) ?? chunksOf(["unscripted"]),
  };
}

/** Yields these chunks and then the result of `end`. */
export async function* chunksBefore(
  chunks: readonly ChatCompletionChunk[],
  end: () => Promise<never>,
): AsyncGenerator<ChatCompletionChunk> {
  yield* chunks;
  await end();
}

/** A frame with only the role, with which most upstreams start. */
export const roleFrame = (id: string): ChatCompletionChunk => ({
  id,
  created: 1,
  choices: [{ index: 0, delta: { role: "assistant", content: "" } }],
});

/** A frame of content. */
export const contentFrame = (content: string): ChatCompletionChunk => ({ choices: [{ index: 0, delta: { content } }] });

/** Rejects when the call is aborted, with its reason. */
export const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
