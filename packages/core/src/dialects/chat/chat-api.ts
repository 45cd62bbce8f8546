import { type ReadCompletion, readCompletion } from "../../answering/json/read-completion.ts";
import type { ModelApi } from "../../answering/model-api.ts";
import { parseChatRequest } from "../../steps/parse-request.ts";
import { chatFrames } from "../../upstream/frames.ts";
import { StreamTranslator } from "../../upstream/stream-translator.ts";
import { chunksToCompletion, isChunk } from "../../wire/completion-chunks.ts";
import type { JsonObject } from "../../wire/json.ts";
import { chunkText } from "../../wire/output-text.ts";

/**
 * OpenAI's Chat Completions API, the language of every provider: its answers need no translation.
 * Follows https://platform.openai.com/docs/api-reference/chat
 */
export const chatApi: ModelApi<ReadCompletion> = {
  dialect: "chat",
  parse: (_services, { slot }, body) => parseChatRequest(body, slot.body),
  translated: {
    read: readCompletion,
    translator: ({ model, exchange, call }, { target, usageFrame, failureContext }) =>
      new StreamTranslator({
        model: model.id,
        id: `chatcmpl-${exchange.requestId}`,
        created: Math.floor(exchange.startedAt / 1000),
        imageTokens: model.imageTokens,
        failureContext,
        answers: target.provider.capabilities.answers,
        encoder: chatFrames(call.chat.stream_options?.include_usage ?? usageFrame === "always"),
      }),
  },
  native: undefined,
  textOf: chunkText,
  mergeFrames: mergeChunks,
  endpoints: [],
};

/** Merges the frames that a client received into one completion. Returns undefined if none has choices. */
function mergeChunks(frames: readonly JsonObject[]): object | undefined {
  const chunks = frames.filter(isChunk);
  return chunks.length === 0 ? undefined : chunksToCompletion(chunks);
}
