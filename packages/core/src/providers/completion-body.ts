import { ProviderError } from "../errors/provider-error.ts";
import { readReportedError } from "../streaming/error-frame.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import { isJsonObject } from "../wire/json.ts";
import type { FailureContext } from "./failure.ts";

/** What a body is, judged by its first bytes. */
export type BodyShape = "json" | "event-stream" | "other";

/** Judges a body by its first bytes, since upstreams send JSON, event streams and error pages under any content type. */
export function bodyShape(start: Uint8Array): BodyShape {
  if (start[0] === openingBrace) return "json";
  const text = new TextDecoder().decode(start.subarray(0, 4_096)).trimStart();
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  const isStream = text !== "" && streamStarts.some((each) => text.startsWith(each) || each.startsWith(text));
  return isStream ? "event-stream" : "other";
}

const openingBrace = 0x7b;
const streamStarts = ["data:", "event:", "id:", "retry:", ":"];

/**
 * Reads the body of an answer to a request without `stream`. The shape is checked only as far as `choices` being an
 * array of choices with a message. An error that it reports is thrown sorted, wherever it stands, since nothing of it
 * may reach the client; anything else that is no completion as `invalid_response`. The context is asked for only then.
 */
export function readCompletionBody(body: Uint8Array, context: () => FailureContext): ChatCompletion {
  const value = parse(body, context);
  const error = readReportedError(value, context);
  if (error !== undefined) throw error;
  if (isCompletion(value)) return value;
  throw invalidResponse(context(), "JSON without a list of choices");
}

/** The error for an answer that is not of the promised shape; `got` names what came in its place. */
export const invalidResponse = ({ provider = "The provider" }: FailureContext, got: string): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${got} instead of a chat completion. Check that the base URL is that of an OpenAI-compatible API.`,
  );

function parse(body: Uint8Array, context: () => FailureContext): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    throw invalidResponse(context(), body.length === 0 ? "an empty body" : describe(body));
  }
}

const decoder = new TextDecoder();

const describe = (body: Uint8Array): string =>
  bodyShape(body) === "json" ? "broken or truncated JSON" : "something that is not JSON";

const isCompletion = (value: unknown): value is ChatCompletion =>
  isJsonObject(value) && Array.isArray(value["choices"]) && value["choices"].every(hasMessage);

const hasMessage = (choice: unknown) => isJsonObject(choice) && isJsonObject(choice["message"]);
