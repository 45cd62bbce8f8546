import { GatewayError } from "../errors/gateway-error.ts";
import type { Room } from "../request/incoming.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";
import {
  type ChatCompletionRequest,
  type ChatParameters,
  isTextFormat,
  type RequestProblem,
  readChatCompletionRequest,
} from "../wire/chat-completion-request.ts";
import { type Inspection, inspectRequest, type Misspelt } from "../wire/inspect-request.ts";
import { isJsonObject, type Json } from "../wire/json.ts";
import { type Prompt, promptOf } from "../wire/prompt.ts";
import { RequestText } from "../wire/request-text.ts";
import { parseScanned, withinLimits } from "./parse-json.ts";
import type { WithBody } from "./read-body.ts";

/** A request whose body is a ChatCompletionRequest. */
export interface Parsed extends WithBody {
  readonly chat: ChatParameters;
  readonly prompt: Prompt;
  /** The body, so that it can travel on with its numbers as they came. */
  readonly text: RequestText;
  /** What only the text of the body tells. */
  readonly inspected: Pick<Inspection, "steering" | "ttl" | "asksForHour" | "spellings">;
}

/** Lets go of the prompt: what asks for it from now on finds none. */
export function forgetPrompt(parsed: Parsed): void {
  const { model, stream, stream_options } = parsed.chat;
  const chat: ChatParameters = { model, stream, stream_options };
  Object.assign(parsed, { chat, ...forgotten });
}

const nothing = new Uint8Array();
const forgotten = { body: nothing, prompt: promptOf([]), text: new RequestText(nothing, { members: [], cuts: [] }) };

const named = { name: "The request body" };

/** Check 5: JSON and schema, and that nothing that is checked can be read in another way than it was. */
export function parseRequest(withBody: WithBody): Awaitable<Parsed> {
  const inspection = inspectRequest(withBody.body);
  withinLimits(inspection, named);
  const value = parseScanned(withBody.body, inspection.values, named);
  return mapAwaitable(value, (parsed) => checkRequest(withBody, parsed, inspection));
}

function checkRequest(withBody: Room<WithBody, Parsed>, value: Json, inspection: Inspection): Parsed {
  if (inspection.misspelt !== undefined) throw ambiguous(inspection.misspelt);
  const hasNoFormat = isJsonObject(value) && isTextFormat(value["response_format"]);
  const read = readChatCompletionRequest(hasNoFormat ? { ...value, response_format: null } : value);
  if ("problem" in read) throw refusal(read.problem);
  noteRequest(withBody, read.request, inspection);
  return withBody;
}

function noteRequest(
  withBody: Room<WithBody, Parsed>,
  request: ChatCompletionRequest,
  { members, cuts, steering, ttl, asksForHour, spellings }: Inspection,
): asserts withBody is Parsed {
  withBody.chat = request;
  withBody.prompt = promptOf(request.messages);
  withBody.text = new RequestText(withBody.body, { members, cuts });
  withBody.inspected = { steering, ttl, asksForHour, spellings };
}

function ambiguous({ param, name, isRepeated }: Misspelt): GatewayError {
  const cure = isRepeated ? "occurs more than once. Send it once." : `is not supported here. Write it \`${name}\`.`;
  return new GatewayError("unsupported_parameter", `\`${param}\` ${cure}`, { param });
}

function refusal({ param, message }: RequestProblem): GatewayError {
  return new GatewayError(
    "invalid_request",
    param === undefined ? `${named.name} ${message}.` : `\`${param}\` ${message}.`,
    param === undefined ? {} : { param },
  );
}
