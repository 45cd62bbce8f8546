import { GatewayError } from "../../../errors/gateway-error.ts";
import { type Parsed, RequestContent, type WithBody } from "../../../request/request-stages.ts";
import type { DialectServices } from "../../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../../runtime/awaitable.ts";
import { chatText, findingsOf, type ScannedBody, scanBody, schemaError } from "../../../steps/parse-request.ts";
import { asksForNothing } from "../../../wire/asks-for-nothing.ts";
import { byteLength, decodeUtf8 } from "../../../wire/bytes.ts";
import { parseExactJson, writeExactJson } from "../../../wire/exact-json.ts";
import { RequestText } from "../../../wire/forwarding/forward.ts";
import type { Inspection } from "../../../wire/forwarding/inspect-request.ts";
import { isJsonObject, type Json } from "../../../wire/json.ts";
import { nameOf } from "../../../wire/json-members.ts";
import { promptOf } from "../../../wire/prompt.ts";
import { demandedTools } from "./hosted-tools.ts";
import { responsesLevel } from "./levels.ts";
import { ResponsesNativeRequest } from "./native-request.ts";
import { type ResponsesRequest, readResponsesRequest } from "./request-schema.ts";
import { type ResolvedState, resolveState } from "./state.ts";
import { chatView, toChatRequest } from "./to-chat.ts";

/** Check 5 of a request of the Responses API: valid JSON that matches the schema, with all items that it refers to. */
export function parseResponses(services: DialectServices, withBody: WithBody): Awaitable<Parsed> {
  return mapAwaitable(scanBody(withBody.body, responsesLevel), (scanned) => {
    const sent = readRequest(scanned.value);
    refuseUnsupported(sent);
    return mapAwaitable(resolveState(services, withBody.key.account, sent), (state) =>
      toParsed(withBody, scanned, sent, state),
    );
  });
}

function readRequest(value: unknown): ResponsesRequest {
  const read = readResponsesRequest(value);
  if ("problem" in read) throw schemaError(read.problem);
  return read.request;
}

/** Members of OpenAI's own state and work in the background, which the gateway does not offer. */
function refuseUnsupported(request: ResponsesRequest): void {
  const { background, conversation, prompt, input, previous_response_id: previous } = request;
  if (background === true) throw unsupported("background", "Leave it out, and read the answer of this request.");
  if (conversation != null) throw unsupported("conversation", "Send the items of the conversation in `input`.");
  if (prompt != null) throw unsupported("prompt", "Send the text of the prompt in `input` or `instructions`.");
  if (input == null && previous == null && request.instructions == null) {
    throw new GatewayError("invalid_request", "`input` is required.", { param: "input" });
  }
  const compacted = Array.isArray(input) ? input.findIndex(({ type }) => type === "compaction") : -1;
  if (compacted >= 0) throw unsupported(`input.${compacted}`, "Send the items that it stands for.");
}

const unsupported = (param: string, advice: string): GatewayError =>
  new GatewayError("unsupported_parameter", `\`${param}\` is not supported here. ${advice}`, { param });

function toParsed(
  { body, ...admitted }: WithBody,
  { value, inspection }: ScannedBody,
  sent: ResponsesRequest,
  state: ResolvedState,
): Parsed {
  const { request } = state;
  const { chat, messages, problem } = chatView(request);
  const text = new RequestText(body, inspection, undefined);
  const exact = once(() => exactRequest(body, inspection, value, request));
  const findings = findingsOf(inspection);
  const steering = new Map([...findings.steering, ...demandedTools(request)]);
  const content = new RequestContent({
    dialect: "responses",
    chat,
    prompt: promptOf(messages),
    text: () => chatText(toChatRequest(exact(), messages)),
    bytes: body.length + (request.input === sent.input ? 0 : byteLength(writeExactJson(request.input))),
    inspected: { ...findings, steering },
    names,
    native: new ResponsesNativeRequest({
      body: { bytes: body, members: inspection.members, text },
      exact,
      state,
      sent,
      untranslatable: problem,
    }),
  });
  return { ...admitted, content };
}

/** How the Responses API names what the checks read under the names of a chat completion. */
const names = {
  max_completion_tokens: "max_output_tokens",
  messages: "input",
  image_url: "input_image",
  reasoning_effort: "reasoning.effort",
  response_format: "text.format",
};

/** Members whose numbers an upstream gets from a parsed value. Those of other members are few and plain. */
const exactMembers: ReadonlySet<string> = new Set(["tools", "text"]);

/** Returns a request whose schemas keep the digits of their numbers. */
function exactRequest(
  body: Uint8Array,
  { members }: Inspection,
  value: Json,
  { input, ...request }: ResponsesRequest,
): ResponsesRequest {
  const exact: Record<string, unknown> = { ...request };
  if (!isJsonObject(value)) return { ...request, input };
  for (const member of members) {
    const name = nameOf(body, member);
    if (!exactMembers.has(name) || asksForNothing(name, value[name])) continue;
    exact[name] = parseExactJson(decodeUtf8(body.subarray(member.valueStart, member.valueEnd)) ?? "null");
  }
  return { ...readRequest(exact), input };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
