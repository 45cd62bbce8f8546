import type { Room } from "../edge/incoming.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import {
  type ChatParameters,
  type RequestProblem,
  readChatCompletionRequest,
} from "../wire/chat-completion-request.ts";
import { readPlainRequest } from "../wire/plain-request.ts";
import { type Prompt, promptOf } from "../wire/prompt.ts";
import { type RequestText, ScannedText } from "../wire/request-text.ts";
import { decodeJson, parseDecoded } from "./parse-json.ts";
import type { WithBody } from "./read-body.ts";

/** A request whose body is a ChatCompletionRequest. */
export interface Parsed extends WithBody {
  readonly chat: ChatParameters;
  readonly prompt: Prompt;
  /** The body, so that it can travel on with its numbers as they came. */
  readonly text: RequestText;
}

/** Lets go of the prompt: what asks for it from now on finds none. */
export function forgetPrompt(parsed: Parsed): void {
  const { model, stream, stream_options } = parsed.chat;
  const chat: ChatParameters = { model, stream, stream_options };
  Object.assign(parsed, { chat, ...forgotten });
}

const nothing = new Uint8Array();
const forgotten = { body: nothing, prompt: promptOf([]), text: new ScannedText(nothing, []) };

const name = "The request body";

/** Check 5: JSON and schema. */
export function parseRequest(withBody: Room<WithBody, Parsed>): asserts withBody is Parsed {
  const { body } = withBody;
  const text = decodeJson(body, { name });
  const plain = readPlainRequest(text);
  if (plain !== undefined) {
    note(withBody, plain.parameters, plain, plain);
    return;
  }
  const { value, members } = parseDecoded(body, text, { name });
  const read = readChatCompletionRequest(value);
  if ("problem" in read) throw refusal(read.problem);
  note(withBody, read.request, promptOf(read.request.messages), new ScannedText(body, members));
}

function note(record: Room<WithBody, Parsed>, chat: ChatParameters, prompt: Prompt, text: RequestText): void {
  record.chat = chat;
  record.prompt = prompt;
  record.text = text;
}

function refusal({ param, message }: RequestProblem): GatewayError {
  return new GatewayError(
    "invalid_request",
    param === undefined ? `${name} ${message}.` : `\`${param}\` ${message}.`,
    param === undefined ? {} : { param },
  );
}
