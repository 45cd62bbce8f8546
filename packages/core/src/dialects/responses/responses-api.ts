import type { ModelApi } from "../../answering/model-api.ts";
import { guardOf } from "../../upstream/answer-guard.ts";
import { NativeTranslator } from "../../upstream/native-translator.ts";
import { StreamTranslator } from "../../upstream/stream-translator.ts";
import { lastResponse } from "./answer/last-response.ts";
import { readTranslated } from "./answer/read-translated.ts";
import { headOf, responseObject } from "./answer/response-object.ts";
import { textOfEvent } from "./answer/response-texts.ts";
import { ResponsesEncoder } from "./answer/stream-encoder.ts";
import { responseMembers } from "./native/known-members.ts";
import { ResponsesReader } from "./native/native-reader.ts";
import { PublicAnswer } from "./native/public-answer.ts";
import { readNative } from "./native/read-native.ts";
import { parseResponses } from "./request/parse-responses.ts";
import { deleteResponse, listResponseInput, showResponse } from "./stored-responses.ts";

/**
 * OpenAI's Responses API, which Codex, the Agents SDK and the AI SDK speak.
 * Follows https://platform.openai.com/docs/api-reference/responses
 */
export const responsesApi: ModelApi = {
  dialect: "responses",
  parse: parseResponses,
  translated: {
    read: readTranslated,
    translator(paid, { target, failureContext }) {
      const head = headOf(paid);
      return new StreamTranslator({
        model: head.model,
        id: head.ids.response,
        created: head.createdAt,
        imageTokens: paid.model.imageTokens,
        failureContext,
        answers: target.provider.capabilities.answers,
        encoder: new ResponsesEncoder(head, paid.call.native?.onAnswer),
      });
    },
  },
  native: {
    read: readNative,
    translator(paid, { target, failureContext, onUnknownEvent }) {
      const unknown = () => ({ ...responseObject(headOf(paid), { status: "in_progress", output: [] }) });
      const { model, call } = paid;
      const answer = new PublicAnswer(paid, target);
      const reader = new ResponsesReader(answer, unknown, call.native?.onAnswer, model.imageTokens);
      const guard = () => guardOf(responseMembers, paid, target, failureContext());
      return new NativeTranslator(reader, { failureContext, onUnknownEvent, guard });
    },
  },
  textOf: textOfEvent,
  mergeFrames: lastResponse,
  endpoints: [
    { name: "responses.show", method: "GET", pattern: "/responses/:id", handler: showResponse },
    { name: "responses.delete", method: "DELETE", pattern: "/responses/:id", handler: deleteResponse },
    { name: "responses.input", method: "GET", pattern: "/responses/:id/input_items", handler: listResponseInput },
  ],
};
