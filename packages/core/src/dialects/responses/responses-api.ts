import { readCompletion } from "../../answering/json/read-completion.ts";
import type { ModelApi, ReadAnswer } from "../../answering/model-api.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import { AccountSigner } from "../../request/account-signer.ts";
import { Call } from "../../request/call.ts";
import type { Admission, PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { findingsOf, inspectBody, parseInspected } from "../../steps/parse-request.ts";
import { asksToHideReasoning } from "../../wire/asks-to-hide.ts";
import { RequestText } from "../../wire/forwarding/request-text.ts";
import { TranslatedText } from "../../wire/forwarding/translated-text.ts";
import { isJsonObject } from "../../wire/json.ts";
import type { NormalizedCompletion } from "../../wire/normalize-completion.ts";
import type { Usage } from "../../wire/usage.ts";
import { chunkTranslator, nativeTranslator, TranslatedAnswer } from "../answers.ts";
import { responseMembers } from "../known-members.ts";
import { toOutputItems } from "./answer/output-items.ts";
import { endingOf, headOf, type ResponseHead, type ResponseObject, responseObject } from "./answer/response-object.ts";
import { ResponsesEncoder } from "./answer/stream-encoder.ts";
import { ResponsesReader, textOfEvent } from "./native/native-reader.ts";
import { PublicAnswer, readNative } from "./native/read-native.ts";
import { demandedTools } from "./request/hosted-tools.ts";
import { ResponsesNativeRequest } from "./request/native-request.ts";
import { readParsedResponses, readUnparsedResponses } from "./request/read-responses.ts";
import { type ResponsesRequest, responsesShape } from "./request/request-schema.ts";
import { resolveState } from "./request/state.ts";
import { toChatRequest } from "./request/to-chat.ts";
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
    translator(paid, context) {
      const head = headOf(paid);
      const encoder = new ResponsesEncoder(head, paid.call.native?.onAnswer);
      return chunkTranslator(paid, context, head.ids.response, encoder);
    },
  },
  native: {
    read: readNative,
    translator(paid, context) {
      const unknown = () => responseObject(headOf(paid), { status: "in_progress", output: [] });
      const answer = new PublicAnswer(paid, context.target);
      const reader = new ResponsesReader(answer, unknown, paid.call.native?.onAnswer, paid.model.imageTokens);
      return nativeTranslator(responseMembers, paid, context, reader);
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

/** Parses a request of the Responses API, with all items that it refers to. Throws 400 for invalid JSON, and for what does not match the schema. */
async function parseResponses(services: Services, admission: Admission, body: Uint8Array): Promise<Call> {
  const { caller, slot } = admission;
  const inspection = inspectBody(body, responsesShape);
  const resolve = (request: ResponsesRequest) => resolveState(services, admission, body.length, request);
  const read =
    readUnparsedResponses(services, body, inspection) ??
    (await readParsedResponses(body, inspection, await parseInspected(body, inspection), resolve));
  const { sent, state, chat, prompt, exact } = read;
  const text = new RequestText(body, inspection, undefined);
  const findings = findingsOf(inspection);
  const pricedMembers = new Map([...findings.pricedMembers, ...demandedTools(sent)]);
  const signer = new AccountSigner(services.secrets, caller.key.account);
  return new Call({
    dialect: "responses",
    chat,
    prompt,
    body: text,
    translate: () => new TranslatedText(toChatRequest(exact(), prompt.messages)),
    bytes: body.length + state.storedBytes,
    inspected: { ...findings, pricedMembers },
    // Without a summary, an answer of this API shows no reasoning.
    hasHiddenReasoning: !asksForSummary(sent.reasoning) || asksToHideReasoning(sent),
    names,
    share: slot.body,
    native: new ResponsesNativeRequest({ ...read, signer, bytes: body, members: inspection.members, text }),
  });
}

/** `generate_summary` is the former name. */
const asksForSummary = (reasoning: ResponsesRequest["reasoning"]): boolean =>
  reasoning?.summary != null || reasoning?.["generate_summary"] != null;

/** How the Responses API names what the checks read under the names of a chat completion. */
const names = {
  max_completion_tokens: "max_output_tokens",
  messages: "input",
  image_url: "input_image",
  reasoning_effort: "reasoning.effort",
  response_format: "text.format",
};

/** Reads a chat completion as a response. Throws a ProviderError if it is an error, or not a completion. */
function readTranslated(paid: PaidCall, target: ModelTarget, answer: ProviderAnswer): ReadAnswer {
  const head = headOf(paid);
  return new TranslatedAnswer(readCompletion(paid, target, answer), head.ids.response, head, toResponse);
}

function toResponse({ choices: [choice] }: NormalizedCompletion, head: ResponseHead, usage: Usage): ResponseObject {
  const { status, incomplete_details } = endingOf(choice?.finish_reason);
  const output = choice === undefined ? [] : toOutputItems(choice.message, head.ids, head.echo.otherTools, status);
  return responseObject(head, { status, incomplete_details, output, usage });
}
