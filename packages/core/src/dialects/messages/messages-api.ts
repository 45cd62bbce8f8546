import { readCompletion } from "../../answering/json/read-completion.ts";
import type { ModelApi, ReadAnswer } from "../../answering/model-api.ts";
import { estimatePrompt } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import { bearerOrApiKey } from "../../steps/admit.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../../wire/json.ts";
import { outputText } from "../../wire/output-text.ts";
import { chunkTranslator, nativeTranslator, TranslatedAnswer } from "../answers.ts";
import { messageMembers } from "../known-members.ts";
import { MessageEncoder } from "./answer/message-encoder.ts";
import { anthropicHeaders } from "./answer/messages-errors.ts";
import { sequencesOf, toMessage } from "./answer/to-message.ts";
import { countTokens } from "./count-tokens.ts";
import { MessageEventReader } from "./native/message-event-reader.ts";
import { readNativeMessage } from "./native/read-native-message.ts";
import { parseMessages } from "./request/parse-messages.ts";

/**
 * Anthropic's Messages API.
 * Follows https://platform.claude.com/docs/en/api/messages/create
 */
export const messagesApi: ModelApi = {
  dialect: "messages",
  keyHeaders: bearerOrApiKey,
  parse: parseMessages,
  translated: {
    read: readTranslated,
    translator(paid, context) {
      const { model, exchange, call } = paid;
      const id = messageId(exchange);
      const encoder = new MessageEncoder({
        id,
        requestId: exchange.requestId,
        model: model.id,
        inputTokens: estimatePrompt(call.prompt, call.bytes, model.imageTokens),
        sequences: sequencesOf(call.chat["stop"]),
      });
      return chunkTranslator(paid, context, id, encoder);
    },
  },
  native: {
    read: readNativeMessage,
    translator(paid, context) {
      const { model, exchange } = paid;
      const reader = new MessageEventReader(model.id, exchange.requestId, model.imageTokens);
      return nativeTranslator(messageMembers, paid, context, reader);
    },
  },
  textOf: eventText,
  mergeFrames: mergeEvents,
  endpoints: [
    { name: "messages.count_tokens", method: "POST", pattern: "/messages/count_tokens", handler: countTokens },
  ],
  headers: anthropicHeaders,
};

/** Returns the output text in one event of a stream: text, thoughts, and the names and inputs of calls. */
function eventText({ type, delta, content_block: block }: JsonObject): string {
  const added = type === "message_delta" ? undefined : [delta, block].find(isJsonObject);
  return added === undefined ? "" : outputText(added);
}

/** Merges the events that a client received into one message. The input of a call stays text if it is not whole JSON. */
export function mergeEvents(events: readonly JsonObject[]): object | undefined {
  let message: JsonObject | undefined;
  const content: JsonObject[] = [];
  for (const { type, message: start, content_block: block, delta, usage } of events) {
    if (type === "message_start" && isJsonObject(start)) message = start;
    else if (type === "content_block_start" && isJsonObject(block)) content.push(block);
    else if (type === "content_block_delta" && isJsonObject(delta)) content.push(extend(content.pop() ?? {}, delta));
    else if (type === "message_delta" && isJsonObject(delta)) message = { ...message, ...delta, usage };
  }
  return message && { ...message, content: content.map(withInput) };
}

/** Blocks are sent one after another, so that a delta belongs to the last one. */
function extend(block: JsonObject, { type: _, citation, ...delta }: JsonObject): JsonObject {
  const extended: Record<string, unknown> = { ...block };
  for (const [name, piece] of Object.entries(delta)) {
    const known = extended[name];
    extended[name] = typeof known === "string" && typeof piece === "string" ? known + piece : piece;
  }
  if (citation !== undefined) {
    extended["citations"] = [...(Array.isArray(extended["citations"]) ? extended["citations"] : []), citation];
  }
  return extended;
}

function withInput({ partial_json: json, ...block }: JsonObject): JsonObject {
  if (typeof json !== "string") return block;
  const input = tryParseJson(json);
  return { ...block, input: input === undefined ? json : input };
}

/** Reads the completion of a target as an answer of the Messages API. Throws a ProviderError if it is not an answer. */
function readTranslated(paid: PaidCall, target: ModelTarget, answer: ProviderAnswer): ReadAnswer {
  const head = { id: messageId(paid.exchange), sequences: sequencesOf(paid.call.chat["stop"]) };
  return new TranslatedAnswer(readCompletion(paid, target, answer), head.id, head, toMessage);
}

/** The id of an answer whose target has none for it. */
const messageId = ({ id }: Pick<Exchange, "id">): string => `msg_${id.replaceAll("-", "")}`;
