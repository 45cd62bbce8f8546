import type { Room } from "../edge/incoming.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type ChatCompletionRequest, readChatCompletionRequest } from "../wire/chat-completion-request.ts";
import type { JsonMember } from "../wire/json-members.ts";
import { parseJson } from "./parse-json.ts";
import type { WithBody } from "./read-body.ts";

/** A request whose body is a ChatCompletionRequest. */
export interface Parsed extends WithBody {
  readonly chat: ChatCompletionRequest;
  /** Where the members of the body stand in its bytes, so that it can travel on with its numbers as they came. */
  readonly members: readonly JsonMember[];
}

/** Lets go of the prompt: what asks for it from now on finds none. */
export function forgetPrompt(parsed: Parsed): void {
  const { model, stream, stream_options } = parsed.chat;
  const chat: ChatCompletionRequest = { model, messages: [], stream, stream_options };
  Object.assign(parsed, { body: nothing, members: none, chat });
}

const nothing = new Uint8Array();
const none: readonly JsonMember[] = [];

/** Check 5: JSON and schema. */
export function parseRequest(withBody: Room<WithBody, Parsed>): asserts withBody is Parsed {
  const { value, members } = parseJson(withBody.body, "The request body");
  const read = readChatCompletionRequest(value);
  if ("request" in read) {
    withBody.chat = read.request;
    withBody.members = members;
    return;
  }
  const { param, message } = read.problem;
  throw new GatewayError(
    "invalid_request",
    param === undefined ? `The request body ${message}.` : `\`${param}\` ${message}.`,
    {
      ...(param === undefined ? {} : { param }),
    },
  );
}
