import { isPlainObject, tryParseJson, tryParseLosslessJson } from "@tollgate/core/internal";
import {
  type ByteStream,
  classifyErrorPayload,
  type FailureContext,
  isErrorEvent,
  type JsonObject,
  ProviderError,
  readEvents,
} from "@tollgate/core/provider";

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
const knownTypes = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop)|ping)$/;

/**
 * Reads the events of a streamed answer. Throws the ProviderError for an event that reports an error in any form, and one of
 * the kind `invalid_response` for an event that is not a JSON object.
 */
export async function* streamedEvents(stream: ByteStream, context: () => FailureContext): AsyncGenerator<JsonObject> {
  for await (const { name, data } of readEvents(stream)) {
    const event = tryParseJson(data);
    if (!isPlainObject(event)) {
      if (name === "error") throw classifyErrorPayload(event ?? data, undefined, context());
      throw invalidAnswer(context(), "an event that is not JSON");
    }
    const type = typeof event["type"] === "string" ? event["type"] : name;
    if (isErrorEvent(event, name, type, knownTypes.test(type))) throw classifyErrorPayload(event, undefined, context());
    yield withExactInput(event, data);
  }
}

/**
 * Converts an answer that was not streamed to the events that would have streamed it. Throws the ProviderError for an
 * error object, and one of the kind `invalid_response` for anything else that is not a message.
 */
export function wholeEvents(body: string, context: () => FailureContext): JsonObject[] {
  const message = tryParseJson(body);
  if (isPlainObject(message) && message["type"] === "error") throw classifyErrorPayload(message, undefined, context());
  const content = isPlainObject(message) ? message["content"] : undefined;
  if (!isPlainObject(message) || !Array.isArray(content)) {
    throw invalidAnswer(context(), body.trim() === "" ? "an empty body" : "something that is not a message");
  }
  const { usage, ...start } = message;
  return [
    { type: "message_start", message: start },
    ...exactContent(content, body).flatMap((block: unknown, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { ...start, stop_reason: start["stop_reason"] ?? "end_turn" }, usage },
    { type: "message_stop" },
  ];
}

/** Most upstreams send arguments in later deltas of text, but some send them here as an object. */
function withExactInput(event: JsonObject, data: string): JsonObject {
  if (event["type"] !== "content_block_start" || !hasInput(event["content_block"])) return event;
  const exact = tryParseLosslessJson(data);
  return isPlainObject(exact) ? { ...event, content_block: exact["content_block"] } : event;
}

function exactContent(content: readonly unknown[], body: string): readonly unknown[] {
  const exact = content.some(hasInput) ? tryParseLosslessJson(body) : undefined;
  return isPlainObject(exact) && Array.isArray(exact["content"]) ? exact["content"] : content;
}

const hasInput = (block: unknown): boolean =>
  isPlainObject(block) && isPlainObject(block["input"]) && Object.keys(block["input"]).length > 0;

/** Creates the error for a response of an unexpected shape; `got` describes what was received. */
export const invalidAnswer = ({ provider = "The provider" }: FailureContext, got: string): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${got} instead of a message. Check that the base URL is that of Anthropic's API.`,
  );
