import { type ReadCompletion, readCompletion } from "../../answering/json/read-completion.ts";
import type { ModelApi, ReadAnswer } from "../../answering/model-api.ts";
import { noUsage } from "../../money/cost.ts";
import type { Output } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import { guardOf } from "../../upstream/answer-guard.ts";
import { NativeTranslator } from "../../upstream/native-translator.ts";
import { StreamTranslator } from "../../upstream/stream-translator.ts";
import { isJsonObject } from "../../wire/json.ts";
import { writeLosslessJson } from "../../wire/lossless-json.ts";
import type { Usage } from "../../wire/usage.ts";
import { responseMembers } from "../known-members.ts";
import { toOutputItems } from "./answer/output-items.ts";
import { endingOf, headOf, type ResponseHead, responseObject } from "./answer/response-object.ts";
import { ResponsesEncoder } from "./answer/stream-encoder.ts";
import { ResponsesReader, textOfEvent } from "./native/native-reader.ts";
import { PublicAnswer, readNative } from "./native/read-native.ts";
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
      const unknown = () => responseObject(headOf(paid), { status: "in_progress", output: [] });
      const { model, call } = paid;
      const answer = new PublicAnswer(paid, target);
      const reader = new ResponsesReader(answer, unknown, call.native?.onAnswer, model.imageTokens);
      const guard = () => guardOf(responseMembers, paid, target, failureContext());
      return new NativeTranslator(reader, { failureContext, onUnknownEvent, guard });
    },
  },
  textOf: textOfEvent,
  // The last `response` is the whole one.
  mergeFrames: (frames) => frames.map(({ response }) => response).findLast(isJsonObject),
  endpoints: [
    { name: "responses.show", method: "GET", pattern: "/responses/:id", handler: showResponse },
    { name: "responses.delete", method: "DELETE", pattern: "/responses/:id", handler: deleteResponse },
    { name: "responses.input", method: "GET", pattern: "/responses/:id/input_items", handler: listResponseInput },
  ],
};

/** Reads a chat completion as a response. Throws a ProviderError if it is an error, or not a completion. */
function readTranslated(paid: PaidCall, target: ModelTarget, answer: ProviderAnswer): ReadAnswer {
  return new TranslatedResponse(readCompletion(paid, target, answer), headOf(paid));
}

class TranslatedResponse implements ReadAnswer {
  readonly json: string;
  readonly #read: ReadCompletion;
  readonly #head: ResponseHead;

  constructor(read: ReadCompletion, head: ResponseHead) {
    this.#read = read;
    this.#head = head;
    this.json = this.withUsage(read.usage ?? noUsage);
  }

  get usage(): Usage | undefined {
    return this.#read.usage;
  }

  get answerId(): string {
    return this.#head.ids.response;
  }

  get finishReasons(): readonly string[] {
    return this.#read.finishReasons;
  }

  get output(): Output {
    return this.#read.output;
  }

  withUsage(charged: Usage): string {
    const [choice] = this.#read.completion.choices;
    const { status, incomplete_details } = endingOf(choice?.finish_reason);
    const { ids, echo } = this.#head;
    const output = choice === undefined ? [] : toOutputItems(choice.message, ids, echo.otherTools, status);
    return writeLosslessJson(responseObject(this.#head, { status, incomplete_details, output, usage: charged }));
  }
}
