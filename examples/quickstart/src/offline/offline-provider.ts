import {
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  type ProviderAdapter,
  type ProviderCall,
  ProviderError,
} from "@tollgate/core/provider";
import { buildChunks } from "./chunks.ts";
import { buildCompletion, type CompletionHead } from "./completion.ts";
import { answerEmbeddings } from "./embeddings.ts";
import { pause } from "./pause.ts";
import { draftReply } from "./reply.ts";
import { type TokenizedDraft, tokenizeDraft } from "./tokenize-draft.ts";
import { countUsage } from "./usage.ts";

/** Options of {@link offlineProvider}. */
export interface OfflineOptions {
  /** The name in events; "offline" when absent. */
  readonly name?: string;
  /** The delay between two chunks of a stream, in milliseconds; 30 when absent. */
  readonly delayMs?: number;
}

/**
 * A deterministic provider that needs no model and no network: it echoes the last message, calls tools and fills JSON
 * schemas. Its embeddings are hashes of the words. It is for trying out a gateway and for tests.
 */
export function offlineProvider({ name = "offline", delayMs = 30 }: OfflineOptions = {}): ProviderAdapter {
  return {
    name,
    capabilities: { streamUsage: true, outputCapField: "max_completion_tokens", pricedFields: [], cancel: "stops" },
    async complete(call) {
      throwIfAborted(call.signal);
      const choices = answer(call.request);
      return buildCompletion(headOf(call), choices, countUsage(call.request, choices));
    },
    async stream(call) {
      throwIfAborted(call.signal);
      const choices = answer(call.request);
      const usage = call.request.stream_options?.include_usage ? countUsage(call.request, choices) : undefined;
      return { kind: "chunks", chunks: paced(buildChunks(headOf(call), choices, usage), delayMs, call.signal) };
    },
    dialects: {
      async embeddings(call) {
        throwIfAborted(call.signal);
        return answerEmbeddings(call);
      },
    },
  };
}

function answer(request: ChatCompletionRequest): readonly TokenizedDraft[] {
  const cap = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  return Array.from({ length: request.n ?? 1 }, (_, index) => tokenizeDraft(draftReply(request, index), cap));
}

const headOf = ({ request, requestId }: ProviderCall): CompletionHead => ({
  id: `chatcmpl-${requestId}`,
  created: Math.floor(Date.now() / 1000),
  model: request.model,
});

async function* paced(
  frames: Iterable<ChatCompletionChunk>,
  delayMs: number,
  signal: AbortSignal,
): AsyncGenerator<ChatCompletionChunk> {
  for (const frame of frames) {
    throwIfAborted(signal);
    yield frame;
    if (delayMs > 0) await pause(delayMs, signal).catch(() => throwIfAborted(signal));
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ProviderError("failed", "The call was aborted.", { cause: signal.reason });
}
