import { asText, encodeUtf8 } from "../bytes.ts";
import { type ChatCompletionRequest, type ChatMessage, thoughtNames } from "../chat-completion-request.ts";
import type { CacheTtl } from "../edits.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { writeLosslessJson } from "../lossless-json.ts";
import { mediaAfterResults } from "../media-after-results.ts";
import type { Changes, SentText } from "./request-text.ts";

/**
 * A request of another dialect as a chat completion. It is changed as a value for each upstream and written once. Its numbers
 * may be exact.
 */
export class TranslatedText implements SentText {
  readonly #request: ChatCompletionRequest;

  constructor(request: ChatCompletionRequest) {
    this.#request = request;
  }

  changed(changes: Changes): Uint8Array {
    return encodeUtf8(this.#written(changes));
  }

  changedValue(changes: Changes): ChatCompletionRequest {
    return JSON.parse(this.#written(changes));
  }

  #written({ members, isRemoved, movesMedia }: Changes): string {
    const keepsThoughts = !isRemoved({ why: "thoughts" });
    const removesMark = (mark: unknown) => isRemoved({ why: ttlOf(mark) });
    const messages = this.#request.messages.map((message) =>
      withoutMarks(keepsThoughts ? withThoughts(message) : withoutThoughts(message), removesMark),
    );
    const changed: Record<string, unknown> = {
      ...this.#request,
      messages: movesMedia ? mediaAfterResults(messages) : messages,
    };
    const { tools } = this.#request;
    if (tools != null) changed["tools"] = tools.map((tool) => withoutMarks(tool, removesMark));
    for (const { name, value, json } of members) {
      if (value === undefined) delete changed[name];
      else changed[name] = json === undefined ? value : JSON.parse(asText(json));
    }
    return writeLosslessJson(changed);
  }
}

/** Returns a message without the members under which upstreams read thoughts. */
function withoutThoughts(message: ChatMessage): ChatMessage {
  if (thoughtNames.every((name) => message[name] === undefined)) return message;
  const kept = { ...message };
  for (const name of thoughtNames) delete kept[name];
  return kept;
}

/** The members of messages and tools whose objects can have cache marks. */
const marked = ["content", "tool_calls", "function"] as const;

/** Returns an object without the cache marks that an upstream must not get, at the places where a chat completion has them. */
function withoutMarks(object: JsonObject, isRemoved: (mark: unknown) => boolean): JsonObject {
  let kept = object;
  if (object["cache_control"] !== undefined && isRemoved(object["cache_control"])) {
    const { cache_control: _, ...others } = object;
    kept = others;
  }
  for (const name of marked) {
    const value = object[name];
    const inner = Array.isArray(value)
      ? value.map((each) => (isJsonObject(each) ? withoutMarks(each, isRemoved) : each))
      : isJsonObject(value)
        ? withoutMarks(value, isRemoved)
        : value;
    if (inner !== value) kept = { ...kept, [name]: inner };
  }
  return kept;
}

/** Returns the lifetime that a cache mark requests. A mark of an unknown form is `other`, since upstreams may interpret it differently. */
function ttlOf(mark: unknown): CacheTtl {
  if (!isJsonObject(mark)) return "other";
  const { type, ttl, ...others } = mark;
  if (type !== "ephemeral" || Object.keys(others).length > 0) return "other";
  if (ttl === undefined) return "5m";
  return ttl === "5m" || ttl === "1h" ? ttl : "other";
}

/**
 * Returns a message with the member for thoughts, which is empty if there are none. Upstreams that read thoughts want it in
 * each message with calls.
 * Follows https://api-docs.deepseek.com/guides/thinking_mode
 */
export const withThoughts = (message: ChatMessage): ChatMessage =>
  message.tool_calls == null || message["reasoning_content"] !== undefined
    ? message
    : { ...message, reasoning_content: "" };
