import { ProviderError } from "../errors/provider-error.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { chunksToCompletion } from "../wire/chunks-to-completion.ts";
import { isJsonObject } from "../wire/json.ts";
import { decodeFrames } from "./frames.ts";
import { StreamTranslator, type TranslatorOptions } from "./stream-translator.ts";

/**
 * The completion in an event stream that was read to its end, for an upstream that streams although it was asked for
 * JSON. Throws the ProviderError of a stream that failed or was cut short.
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

/** True for a frame with choices: the translator has normalized it, so they are of the right shape. */
export const isChunk = (frame: unknown): frame is ChatCompletionChunk =>
  isJsonObject(frame) && Array.isArray(frame["choices"]);
