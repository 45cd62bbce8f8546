import type { ScriptedAnswer, ScriptedFailure, ScriptedUpstream } from "@tollgate/contract";
import {
  type ChatCompletionChunk,
  classifyErrorPayload,
  gatherCompletion,
  type ProviderAdapter,
  type ProviderCall,
  ProviderError,
} from "@tollgate/core/provider";

/** A provider without HTTP, such as one over another library, which plays the scripts of the suite. */
export function scriptPlayingProvider(upstream: ScriptedUpstream): ProviderAdapter {
  return {
    name: "scripts",
    capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
    complete: (call) => gatherCompletion(play(upstream, call)),
    stream: async (call) => ({ kind: "chunks", chunks: play(upstream, call) }),
  };
}

async function* play(
  upstream: ScriptedUpstream,
  { request, signal }: ProviderCall,
): AsyncGenerator<ChatCompletionChunk> {
  signal.throwIfAborted();
  const script = upstream.take(JSON.stringify(request));
  if (script.kind === "silence") await aborted(signal);
  else if (script.kind === "failure") throw failureOf(script, upstream);
  else if (script.kind === "answer") yield* chunksOf(script, signal);
  else throw new Error(`A test double without HTTP cannot play "${script.kind}".`);
}

async function* chunksOf(answer: ScriptedAnswer, signal: AbortSignal): AsyncGenerator<ChatCompletionChunk> {
  const { pieces, toolCalls, finish, ending } = answer;
  for (const content of ending === "whole" ? pieces : pieces.slice(0, 1)) yield { choices: [{ delta: { content } }] };
  if (ending === "stalled") await aborted(signal);
  if (ending === "error" || ending === "cut")
    throw new ProviderError("failed", "The answer was interrupted. Try again.");
  if (ending === "ended") return;
  for (const [index, { id, name, argumentPieces }] of toolCalls.entries()) {
    const call = { index, id, function: { name, arguments: argumentPieces.join("") } };
    yield { choices: [{ delta: { tool_calls: [call] } }] };
  }
  const usage = { prompt_tokens: answer.promptTokens, completion_tokens: answer.completionTokens };
  yield { choices: [{ delta: {}, finish_reason: finish }], usage };
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason));
  });

function failureOf(script: ScriptedFailure, { origin, apiKey, model }: ScriptedUpstream): ProviderError {
  const code = script.about === "context_length" ? "context_length_exceeded" : undefined;
  const hidden = [apiKey, new URL(origin).host, model];
  const error = classifyErrorPayload({ message: script.message, code }, script.status, { hidden });
  const { retryAfterSeconds } = script;
  if (retryAfterSeconds === undefined) return error;
  return new ProviderError(error.failure, error.message, { ...error.details, retryAfterSeconds });
}
