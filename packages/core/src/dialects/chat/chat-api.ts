import { type ReadCompletion, readCompletion } from "../../answering/json/read-completion.ts";
import type { ModelApi } from "../../answering/model-api.ts";
import { parseChatRequest } from "../../steps/parse-request.ts";
import { chatFrames } from "../../upstream/frames.ts";
import { chunksToCompletion, isChunk } from "../../wire/completion-chunks.ts";
import type { JsonObject } from "../../wire/json.ts";
import { chunkText } from "../../wire/output-text.ts";
import { chunkTranslator } from "../answers.ts";

/**
 * OpenAI's Chat Completions API, the language of every provider: its answers need no translation.
 * Follows https://platform.openai.com/docs/api-reference/chat
 */
export const chatApi: ModelApi<ReadCompletion> = {
  dialect: "chat",
  parse: (_services, { slot }, body) => parseChatRequest(body, slot.body),
  translated: {
    read: readCompletion,
    translator(paid, context) {
      const wantsUsage = paid.call.chat.stream_options?.include_usage ?? context.usageFrame === "always";
      return chunkTranslator(paid, context, `chatcmpl-${paid.exchange.requestId}`, chatFrames(wantsUsage));
    },
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
