import { ProviderError } from "../errors/provider-error.ts";
import type { FailureContext } from "../failures/failure.ts";
import { isCompletionBytes, type ProviderAnswer } from "../ports/provider-adapter.ts";
import { readReportedError } from "../streaming/frame-reports.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import { isJsonObject } from "../wire/json.ts";
import { decodeUtf8 } from "../wire/utf8.ts";

/** What a body is, judged by its first bytes. */
export type BodyShape = "json" | "event-stream" | "other";

/** Judges a body by its first bytes, since upstreams send JSON, event streams and error pages under any content type. */
export function bodyShape(start: Uint8Array): BodyShape {
  return start[0] === openingBrace ? "json" : textShape(lenient.decode(start.subarray(0, 4_096)));
}

function textShape(start: string): BodyShape {
  const text = start.trimStart();
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  const isStream = text !== "" && streamStarts.some((each) => text.startsWith(each) || each.startsWith(text));
  return isStream ? "event-stream" : "other";
}

const openingBrace = 0x7b;
const streamStarts = ["data:", "event:", "id:", "retry:", ":"];

/** The text of a body; undefined for bytes that are not UTF-8 or begin with a byte order mark, which not every client can read. */
export function bodyText(body: Uint8Array): string | undefined {
  const text = decodeUtf8(body);
  return text?.startsWith(byteOrderMark) ? undefined : text;
}

/**
 * Reads the body of an answer to a request without `stream`; `text` is what `bodyText` gave. The shape is checked only
 * as far as `choices` being an array of choices with a message. An error that it reports is thrown sorted, wherever it
 * stands, since nothing of it may reach the client; anything else that is no completion as `invalid_response`. The context
 * is asked for only then.
 */
export function readCompletionBody(
  body: Uint8Array,
  context: () => FailureContext,
  text = bodyText(body),
): ChatCompletion {
  const value = parse(text ?? lenient.decode(body), context);
  const error = readReportedError(value, context);
  if (error !== undefined) throw error;
  if (isCompletion(value)) return value;
  throw invalidResponse(context(), "JSON without a list of choices");
}

/**
 * The completion that a provider answered with, in whichever form: for an adapter that changes what another one gives.
 * Throws what the gateway would: a ProviderError for bytes that are no completion, or that report an error.
 */
export function completionOf(answer: ProviderAnswer): ChatCompletion {
  if (!isCompletionBytes(answer)) return answer;
  const { body, hidden } = answer;
  return readCompletionBody(body, () => ({ hidden: hidden ?? [] }));
}

/** The error for an answer that is not of the promised shape; `got` names what came in its place. */
export const invalidResponse = ({ provider = "The provider" }: FailureContext, got: string): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${got} instead of a chat completion. Check that the base URL is that of an OpenAI-compatible API.`,
  );

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
  textShape(text) === "json" ? "broken or truncated JSON" : "something that is not JSON";

const isCompletion = (value: unknown): value is ChatCompletion =>
  isJsonObject(value) && Array.isArray(value["choices"]) && value["choices"].every(hasMessage);

const hasMessage = (choice: unknown) => isJsonObject(choice) && isJsonObject(choice["message"]);
