import { ProviderError } from "../errors/provider-error.ts";
import type { CompletionBytes, ProviderAnswer } from "../ports/provider-adapter.ts";
import type { FailureContext } from "../upstream/failure.ts";
import { readReportedError } from "../upstream/frame-reports.ts";
import { decodeFrames } from "../upstream/frames.ts";
import { StreamTranslator, type TranslatorOptions } from "../upstream/stream-translator.ts";
import { decodeUtf8 } from "../wire/bytes.ts";
import type { ChatCompletion, ChatCompletionChunk } from "../wire/chat-completion.ts";
import { chunksToCompletion, isChunk } from "../wire/completion-chunks.ts";
import { isJsonObject } from "../wire/json.ts";
import { chunkText } from "../wire/output-text.ts";
import { maxAnswerBytes } from "./byte-streams.ts";

/** Detects the format of a body by its first bytes, since upstreams send JSON, event streams and error pages with any content type. */
export function bodyFormat(start: Uint8Array) {
  return start[0] === openingBrace ? "json" : textFormat(lenient.decode(start.subarray(0, 4_096)));
}

function textFormat(start: string): "json" | "event-stream" | "other" {
  const text = start.trimStart();
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  const isStream = text !== "" && streamStarts.some((each) => text.startsWith(each) || each.startsWith(text));
  return isStream ? "event-stream" : "other";
}

const openingBrace = 0x7b;
const streamStarts = ["data:", "event:", "id:", "retry:", ":"];

/**
 * Reads the body of a non-streamed completion. It checks only that `choices` is an array of choices with a message. Throws a
 * reported error as a classified ProviderError, since its text must not reach the client, and `invalid_response` for anything
 * else. `context` is called only for an error.
 */
export function readCompletionBody(body: Uint8Array, context: () => FailureContext): ChatCompletion {
  const value = parse(bodyText(body), context);
  const error = readReportedError(value, context);
  if (error !== undefined) throw error;
  if (isCompletion(value)) return value;
  throw invalidResponse(context(), "JSON without a list of choices");
}

/**
 * Returns the completion of a provider's answer in either form, for an adapter that changes the answers of another one.
 * Throws the same ProviderError as the gateway for bytes that are not a completion or that report an error.
 */
export function completionOf(answer: ProviderAnswer): ChatCompletion {
  if (!isCompletionBytes(answer)) return answer;
  const { body, hidden } = answer;
  return readCompletionBody(body, () => ({ hidden: hidden ?? [] }));
}

/** Makes the error for an answer that is not a chat completion; `received` describes it. */
export const invalidResponse = ({ provider = "The provider" }: FailureContext, received: string): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${received} instead of a chat completion. Check that the base URL is that of an OpenAI-compatible API.`,
  );

/** Decodes a body. The lenient decoder takes longer, but removes a byte order mark and reads invalid UTF-8. */
function bodyText(body: Uint8Array): string {
  const text = decodeUtf8(body);
  return text === undefined || text.startsWith(byteOrderMark) ? lenient.decode(body) : text;
}

const lenient = new TextDecoder();
const byteOrderMark = "\ufeff";

function parse(text: string, context: () => FailureContext): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse(context(), text === "" ? "an empty body" : describe(text));
  }
}

const describe = (text: string): string =>
  textFormat(text) === "json" ? "broken or truncated JSON" : "something that is not JSON";

const isCompletion = (value: unknown): value is ChatCompletion =>
  isJsonObject(value) &&
  Array.isArray(value["choices"]) &&
  value["choices"].every((choice: unknown) => isJsonObject(choice) && isJsonObject(choice["message"]));

/** True for CompletionBytes. An adapter without types may return any value. */
export const isCompletionBytes = (answer: ProviderAnswer): answer is CompletionBytes =>
  isJsonObject(answer) && answer["kind"] === "bytes" && answer["body"] instanceof Uint8Array;

/** Each chunk counts too, since it takes memory even without text. */
const charactersPerChunk = 64;

/**
 * Collects a stream of chunks into a completion, for providers whose upstream only streams. Rejects with the error of
 * the stream, and with a ProviderError of the kind `invalid_response` if it ends without a finish_reason or exceeds 16 MiB.
 */
export async function gatherCompletion(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletion> {
  const gathered: ChatCompletionChunk[] = [];
  let left = maxAnswerBytes;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    left -= charactersPerChunk + chunkText(chunk).length;
    if (left < 0)
      throw new ProviderError("invalid_response", "The provider's answer is longer than 16 MiB. Request fewer tokens.");
  }
  const completion = chunksToCompletion(gathered);
  const { choices } = completion;
  if (choices.length > 0 && choices.every((choice) => typeof choice.finish_reason === "string")) return completion;
  throw new ProviderError(
    "invalid_response",
    "The provider's answer ended without a finish_reason. Check its base URL, or try again.",
  );
}

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
