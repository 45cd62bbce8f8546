import { AccountSigner } from "../../../request/account-signer.ts";
import { type Parsed, RequestContent, type WithBody } from "../../../request/request-stages.ts";
import type { DialectServices } from "../../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../../runtime/awaitable.ts";
import { chatText, findingsOf, inspectBody, parseInspected } from "../../../steps/parse-request.ts";
import { asksToHideReasoning } from "../../../wire/asks-to-hide.ts";
import { RequestText } from "../../../wire/forwarding/forward-request.ts";
import { demandedTools } from "./hosted-tools.ts";
import { responsesLevel } from "./levels.ts";
import { ResponsesNativeRequest } from "./native-request.ts";
import {
  type InspectedBody,
  type ReadResponses,
  readParsedResponses,
  readUnparsedResponses,
} from "./read-responses.ts";
import type { ResponsesRequest } from "./request-schema.ts";
import { resolveState } from "./state.ts";
import { toChatRequest } from "./to-chat.ts";

/** Check 5 of a request of the Responses API: valid JSON that matches the schema, with all items that it refers to. */
export function parseResponses(services: DialectServices, withBody: WithBody): Awaitable<Parsed> {
  const { body, ...admitted } = withBody;
  const inspected = { body, inspection: inspectBody(body, responsesLevel) };
  const signer = new AccountSigner(services.secrets, admitted.key.account);
  const toParsed = (read: ReadResponses): Parsed => ({ ...admitted, content: contentOf(inspected, read, signer) });
  const unparsed = readUnparsedResponses(services, inspected);
  if (unparsed !== undefined) return toParsed(unparsed);
  const resolve = (request: ResponsesRequest) => resolveState(services, withBody, request);
  return mapAwaitable(parseInspected(body, inspected.inspection), (value) =>
    mapAwaitable(readParsedResponses(inspected, value, resolve), toParsed),
  );
}

function contentOf({ body, inspection }: InspectedBody, read: ReadResponses, signer: AccountSigner): RequestContent {
  const { sent, state, chat, prompt, exact } = read;
  const text = new RequestText(body, inspection, undefined);
  const findings = findingsOf(inspection);
  const steering = new Map([...findings.steering, ...demandedTools(sent)]);
  return new RequestContent({
    dialect: "responses",
    chat,
    prompt,
    text: () => chatText(toChatRequest(exact(), prompt.messages)),
    bytes: body.length + state.storedBytes,
    inspected: { ...findings, steering },
    // Without a summary, an answer of this API shows no reasoning.
    hidesReasoning: !asksForSummary(sent.reasoning) || asksToHideReasoning(sent),
    names,
    native: new ResponsesNativeRequest({ ...read, signer, body: { bytes: body, members: inspection.members, text } }),
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
