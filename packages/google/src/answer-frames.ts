import {
  type ByteStream,
  type FailureContext,
  type JsonObject,
  ProviderError,
  parseExactJson,
  readEvents,
  sortErrorPayload,
} from "@tollgate/core/provider";
import { isObject, objectsOf } from "./json.ts";

/**
 * The answer in a body that was read whole. Throws the sorted error when it holds one, and `invalid_response` when it
 * is no answer of Gemini.
 */
export function readAnswer(text: string, context: FailureContext): JsonObject {
  return checked(parse(text, context), context);
}

/** The frames of an event stream as they come. Throws what {@link readAnswer} does. */
export async function* readFrames(body: ByteStream, context: FailureContext): AsyncGenerator<JsonObject> {
  for await (const { data } of readEvents(body)) {
    const text = data.trim();
    // Gateways between here and Google end a stream the way OpenAI does.
    if (text !== "" && text !== "[DONE]") yield readAnswer(text, context);
  }
}

/** The frames of a stream that came as JSON: a list of them, or one answer. */
export function readFrameList(text: string, context: FailureContext): readonly JsonObject[] {
  const value = parse(text, context);
  if (!Array.isArray(value)) return [checked(value, context)];
  return objectsOf(value).map((frame) => checked(frame, context));
}

/** The error for an answer that is not of the promised shape; `got` names what came in its place. */
export const invalidAnswer = ({ provider = "The provider" }: FailureContext, got: string, cause?: unknown) =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${got} instead of content of Gemini. Check that the base URL is that of the Gemini API.`,
    { cause },
  );

function checked(value: unknown, context: FailureContext): JsonObject {
  const failed = Array.isArray(value) ? value.some(holdsError) : holdsError(value);
  if (failed) throw sortErrorPayload(value, undefined, context);
  if (isObject(value) && answerMembers.some((name) => isPresent(value[name]))) return value;
  throw invalidAnswer(context, "JSON of another shape");
}

const answerMembers = ["candidates", "promptFeedback", "usageMetadata"];

const isPresent = (value: unknown): boolean => typeof value === "object" && value !== null;

const holdsError = (value: unknown): boolean => isObject(value) && isObject(value["error"]);

function parse(text: string, context: FailureContext): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Only arguments need all their digits, and few frames have some.
    return text.includes('"functionCall"') ? withExactCandidates(value, parseExactJson(text)) : value;
  } catch {
    throw invalidAnswer(context, text.trim() === "" ? "an empty body" : "something that is not JSON");
  }
}

function withExactCandidates(value: unknown, exact: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(exact)) {
    return value.map((frame: unknown, position) => withExactCandidates(frame, exact[position]));
  }
  return isObject(value) && isObject(exact) ? { ...value, candidates: exact["candidates"] } : value;
}
