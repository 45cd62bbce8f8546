import { AccountSigner } from "../../../request/account-signer.ts";
import { Call } from "../../../request/call.ts";
import type { Admission } from "../../../request/paid-call.ts";
import type { Services } from "../../../request/services.ts";
import { findingsOf, inspectBody, parseInspected } from "../../../steps/parse-request.ts";
import { asksToHideReasoning } from "../../../wire/asks-to-hide.ts";
import { RequestText } from "../../../wire/forwarding/request-text.ts";
import { TranslatedText } from "../../../wire/forwarding/translated-text.ts";
import { demandedTools } from "./hosted-tools.ts";
import { ResponsesNativeRequest } from "./native-request.ts";
import { readParsedResponses, readUnparsedResponses } from "./read-responses.ts";
import { type ResponsesRequest, responsesShape } from "./request-schema.ts";
import { resolveState } from "./state.ts";
import { toChatRequest } from "./to-chat.ts";

/** Parses a request of the Responses API, with all items that it refers to. Throws 400 for invalid JSON, and for what does not match the schema. */
export async function parseResponses(services: Services, admission: Admission, body: Uint8Array): Promise<Call> {
  const { caller, slot } = admission;
  const inspection = inspectBody(body, responsesShape);
  const inspected = { body, inspection };
  const resolve = (request: ResponsesRequest) => resolveState(services, admission, body.length, request);
  const read =
    readUnparsedResponses(services, inspected) ??
    (await readParsedResponses(inspected, await parseInspected(body, inspection), resolve));
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
