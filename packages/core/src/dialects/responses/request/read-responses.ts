import { GatewayError } from "../../../errors/gateway-error.ts";
import type { Services } from "../../../request/services.ts";
import { once } from "../../../runtime/once.ts";
import { schemaError } from "../../../steps/parse-request.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import type { ChatParameters } from "../../../wire/chat-completion-request.ts";
import type { Inspection } from "../../../wire/forwarding/inspection.ts";
import { parseOutlined } from "../../../wire/forwarding/request-text.ts";
import { isNoOp } from "../../../wire/inspected-names.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../wire/json.ts";
import { nameOf } from "../../../wire/json-members.ts";
import { parseLosslessJson } from "../../../wire/lossless-json.ts";
import { mediaOf, noUnknownParts } from "../../../wire/media.ts";
import type { Prompt } from "../../../wire/prompt.ts";
import { DeferredPrompt } from "../../deferred-prompt.ts";
import { toolsOfItem } from "./hosted-tools.ts";
import {
  isReasoning,
  itemsOf,
  type ResponsesRequest,
  readResponsesRequest,
  readResponsesSettings,
  responsesShape,
} from "./request-schema.ts";
import type { ResolvedState } from "./state.ts";
import { chatSettings, chatView } from "./to-chat.ts";

/** What the checks need of a request of the Responses API. */
export interface ReadResponses {
  /** The request as it was sent. Without its input and instructions, and with no more of its tools than their types, if it was not parsed as a whole. */
  readonly sent: ResponsesRequest;
  readonly state: ResolvedState;
  readonly chat: ChatParameters;
  readonly prompt: Prompt;
  /** The places of the items of the input that was sent that not every target gets as they are: reasoning, and lists of tools. */
  readonly rewritten: ReadonlySet<number>;
  /** Returns the whole request. Its schemas keep the digits of their numbers. */
  exact(): ResponsesRequest;
  /** Returns the types of items that a target without the dialect does not get. */
  leftOut(): readonly string[];
  /** Returns why only targets that speak the dialect can serve it. */
  untranslatable(): GatewayError | undefined;
}

/**
 * Reads a request whose input and tools the scan has validated, which are then parsed on first access. Returns undefined if
 * it must be parsed as a whole, also because it is stored or continues a stored one.
 */
export function readUnparsedResponses(
  { responses }: Pick<Services, "responses">,
  body: Uint8Array,
  inspection: Inspection,
): ReadResponses | undefined {
  const parsed = parseOutlined(body, inspection, responsesShape);
  if (parsed === undefined) return undefined;
  const { outline } = parsed;
  const sent = requestOf(readResponsesSettings(parsed.settings, outline.tools));
  refuseUnsupported(sent);
  const isStored = responses !== undefined && sent.store !== false;
  if (isStored || sent.previous_response_id != null) return undefined;
  const whole = once(() => {
    const value: Json = JSON.parse(decodeUtf8(body) ?? "");
    const request = requestOf(readResponsesRequest(value));
    return { value, request, view: chatView(request) };
  });
  return {
    sent,
    state: { request: sent, store: false, storedBytes: 0, onAnswer: undefined },
    chat: chatSettings(sent),
    prompt: new DeferredPrompt(
      outline.messages.length,
      outline.images,
      noUnknownParts,
      whole,
      ({ view }) => view.messages,
    ),
    rewritten: new Set(placesOf(outline.messages, (type) => type === "reasoning")),
    exact: once(() => exactRequest(body, inspection, whole().value, whole().request)),
    leftOut: () => whole().view.leftOut,
    untranslatable: () => whole().view.problem,
  };
}

/**
 * Reads a parsed request, with all items that it refers to, which `resolve` finds. The reference implementation of {@link readUnparsedResponses}.
 * Throws 400 if it does not match the schema.
 */
export async function readParsedResponses(
  body: Uint8Array,
  inspection: Inspection,
  value: Json,
  resolve: (request: ResponsesRequest) => Promise<ResolvedState>,
): Promise<ReadResponses> {
  const sent = requestOf(readResponsesRequest(value));
  refuseUnsupported(sent);
  requireInput(sent);
  const state = await resolve(sent);
  const { chat, messages, leftOut, problem } = chatView(state.request);
  const items = itemsOf(state.request.input);
  const isRewritten = (item: JsonObject) => isReasoning(item) || toolsOfItem(item).length > 0;
  return {
    sent,
    state,
    chat,
    prompt: { messages, messageCount: items.length + 1, ...mediaOf(items) },
    rewritten: new Set(Array.isArray(sent.input) ? placesOf(sent.input, isRewritten) : []),
    exact: once(() => exactRequest(body, inspection, value, state.request)),
    leftOut: () => leftOut,
    untranslatable: () => problem,
  };
}

const placesOf = <Item>(items: readonly Item[], isOne: (item: Item) => boolean): readonly number[] =>
  items.flatMap((item, index) => (isOne(item) ? [index] : []));

function requestOf(read: ReturnType<typeof readResponsesRequest>): ResponsesRequest {
  if ("problem" in read) throw schemaError(read.problem);
  return read.request;
}

/** Members of OpenAI's own state and work in the background, which the gateway does not offer. */
function refuseUnsupported({ background, conversation, prompt }: ResponsesRequest): void {
  if (background === true) throw unsupported("background", "Leave it out, and read the answer of this request.");
  if (conversation != null) throw unsupported("conversation", "Send the items of the conversation in `input`.");
  if (prompt != null) throw unsupported("prompt", "Send the text of the prompt in `input` or `instructions`.");
}

function requireInput({ input, instructions, previous_response_id: previous }: ResponsesRequest): void {
  if (input == null && previous == null && instructions == null) {
    throw new GatewayError("invalid_request", "`input` is required.", { param: "input" });
  }
  const compacted = Array.isArray(input) ? input.findIndex(({ type }) => type === "compaction") : -1;
  if (compacted >= 0) throw unsupported(`input.${compacted}`, "Send the items that it stands for.");
}

const unsupported = (param: string, advice: string): GatewayError =>
  new GatewayError("unsupported_parameter", `\`${param}\` is not supported here. ${advice}`, { param });

/** Members whose numbers an upstream gets from a parsed value. Those of other members are few and plain. */
const exactMembers: ReadonlySet<string> = new Set(["tools", "text"]);

function exactRequest(
  body: Uint8Array,
  inspection: Inspection,
  value: Json,
  { input, ...request }: ResponsesRequest,
): ResponsesRequest {
  const exact: Record<string, unknown> = { ...request };
  if (!isJsonObject(value)) return { ...request, input };
  for (const member of inspection.members) {
    const name = nameOf(body, member);
    if (!exactMembers.has(name) || isNoOp(name, value[name])) continue;
    exact[name] = parseLosslessJson(decodeUtf8(body.subarray(member.valueStart, member.valueEnd)) ?? "null");
  }
  return { ...requestOf(readResponsesRequest(exact)), input };
}
