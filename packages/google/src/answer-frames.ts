import { isPlainObject } from "@tollgate/core/internal";
import {
  type ByteStream,
  classifyErrorPayload,
  type FailureContext,
  type JsonObject,
  ProviderError,
  parseLosslessJson,
  readEvents,
} from "@tollgate/core/provider";
import { objectsOf } from "./json.ts";

/**
 * Parses an answer that was not streamed. Throws the ProviderError for an error object, and one of the kind
 * `invalid_response` if the body is not an answer of Gemini.
 */
export function readAnswer(text: string, context: FailureContext): JsonObject {
  return checked(parse(text, context), context);
}

/** Reads the frames of an event stream as they arrive. Throws as {@link readAnswer} does. */
export async function* readFrames(body: ByteStream, context: FailureContext): AsyncGenerator<JsonObject> {
  for await (const { data } of readEvents(body)) {
    const text = data.trim();
    // A gateway in front of Google may end a stream as OpenAI does.
    if (text !== "" && text !== "[DONE]") yield readAnswer(text, context);
  }
}

/** Parses the frames of a stream that was sent as JSON: an array of frames, or one answer. */
export function readFrameList(text: string, context: FailureContext): readonly JsonObject[] {
  const value = parse(text, context);
  if (!Array.isArray(value)) return [checked(value, context)];
  return objectsOf(value).map((frame) => checked(frame, context));
}

/** Creates the error for a response of an unexpected shape; `got` describes what was received. */
export const invalidAnswer = ({ provider = "The provider" }: FailureContext, got: string, cause?: unknown) =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${got} instead of a Gemini response. Check that the base URL is that of the Gemini API.`,
    { cause },
  );

function checked(value: unknown, context: FailureContext): JsonObject {
  const failed = Array.isArray(value) ? value.some(hasError) : hasError(value);
  if (failed) throw classifyErrorPayload(value, undefined, context);
  if (isPlainObject(value) && answerMembers.some((name) => isPresent(value[name]))) return value;
  throw invalidAnswer(context, "JSON of another shape");
}

const answerMembers = ["candidates", "promptFeedback", "usageMetadata"];

const isPresent = (value: unknown): boolean => typeof value === "object" && value !== null;

const hasError = (value: unknown): boolean => isPlainObject(value) && isPlainObject(value["error"]);

function parse(text: string, context: FailureContext): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Only arguments need exact numbers, and few frames have arguments.
    return text.includes('"functionCall"') ? withExactCandidates(value, parseLosslessJson(text)) : value;
  } catch {
    throw invalidAnswer(context, text.trim() === "" ? "an empty body" : "something that is not JSON");
  }
}

function withExactCandidates(value: unknown, exact: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(exact)) {
    return value.map((frame: unknown, position) => withExactCandidates(frame, exact[position]));
  }
  return isPlainObject(value) && isPlainObject(exact) ? { ...value, candidates: exact["candidates"] } : value;
}
