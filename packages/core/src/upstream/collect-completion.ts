import { ProviderError } from "../errors/provider-error.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { chunksToCompletion } from "../wire/chunks-to-completion.ts";
import { isJsonObject } from "../wire/json.ts";
import { decodeFrames } from "./frames.ts";
import { StreamTranslator, type TranslatorOptions } from "./stream-translator.ts";

/**
 * Returns the completion of a whole event stream, for an upstream that streams although JSON was requested. Throws a
 * ProviderError for a stream that failed or is incomplete.
 */
export function collectCompletion(stream: Uint8Array, options: TranslatorOptions): ChatCompletion {
  const translator = new StreamTranslator(options);
  const frames = [translator.translate(stream), translator.end()].flatMap((bytes) =>
    bytes === undefined ? [] : decodeFrames(bytes),
  );
  if (translator.failure !== undefined) throw translator.failure;
  if (!frames.every(isChunk)) throw new ProviderError("invalid_response", "The stream has frames without choices.");
  const completion = chunksToCompletion(frames);
  return translator.usage === undefined ? completion : { ...completion, usage: translator.usage };
}

/** True for a frame with choices. The translator has normalized them, so their shape is not checked. */
export const isChunk = (frame: unknown): frame is ChatCompletionChunk =>
  isJsonObject(frame) && Array.isArray(frame["choices"]);
