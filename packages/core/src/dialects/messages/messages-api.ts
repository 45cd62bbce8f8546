import type { ModelApi } from "../../answering/model-api.ts";
import { estimatePrompt } from "../../money/token-counter.ts";
import { bearerOrApiKey } from "../../steps/api-key-header.ts";
import { guardOf } from "../../streaming/answer-guard.ts";
import { NativeTranslator } from "../../streaming/native-translator.ts";
import { StreamTranslator } from "../../streaming/stream-translator.ts";
import { eventText, mergeEvents } from "./answer/merge-events.ts";
import { MessageEncoder } from "./answer/message-encoder.ts";
import { messageId, readTranslated } from "./answer/read-message.ts";
import { anthropicHeaders } from "./answer/response-headers.ts";
import { sequencesOf } from "./answer/stop-reason.ts";
import { countTokens } from "./count-tokens.ts";
import { messageMembers } from "./native/known-members.ts";
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
    translator: (paid, { target, failureContext }) => {
      const { model, exchange, call } = paid;
      const { requestId, startedAt } = exchange;
      const id = messageId(exchange);
      const encoder = new MessageEncoder({
        id,
        requestId,
        model: model.id,
        inputTokens: estimatePrompt(call.prompt, call.bytes, model.imageTokens),
        sequences: sequencesOf(call.chat["stop"]),
      });
      const created = Math.floor(startedAt / 1000);
      const { answers } = target.provider.capabilities;
      const { imageTokens } = model;
      return new StreamTranslator({ model: model.id, id, created, imageTokens, failureContext, answers, encoder });
    },
  },
  native: {
    read: readNativeMessage,
    translator: ({ model, exchange, call }, { target, failureContext, onUnknownEvent }) =>
      new NativeTranslator(new MessageEventReader(model.id, exchange.requestId, model.imageTokens), {
        failureContext,
        onUnknownEvent,
        guard: () => guardOf(messageMembers, { model, call }, target, failureContext()),
      }),
  },
  textOf: eventText,
  mergeFrames: mergeEvents,
  endpoints: [
    { name: "messages.count_tokens", method: "POST", pattern: "/messages/count_tokens", handler: countTokens },
  ],
  headers: anthropicHeaders,
};
