import { GatewayError } from "../errors/gateway-error.ts";
import { type ChatCompletionRequest, readChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { type JsonMember, scanJson } from "../wire/json-members.ts";
import { decodeUtf8 } from "../wire/utf8.ts";
import type { WithBody } from "./read-body.ts";

/** A request whose body is a ChatCompletionRequest. */
export interface Parsed extends WithBody {
  readonly chat: ChatCompletionRequest;
  /** Where the members of the body stand in its bytes, so that it can travel on with its numbers as they came. */
  readonly members: readonly JsonMember[];
}

const maxDepth = 100;

const tooMuch = {
  depth: `is nested more than ${maxDepth} levels deep`,
  members: "has too many members",
  containers: "holds too many objects and arrays",
} as const;

/** Check 5: JSON and schema. */
export function parseRequest(withBody: WithBody): Parsed {
  const text = decode(withBody.body);
  // Before the parse: a body of brackets alone keeps JSON.parse, and with it every other request, busy for seconds.
  const scan = scanJson(withBody.body, { maxDepth });
  if ("exceeded" in scan) {
    throw new GatewayError("invalid_json", `The request body ${tooMuch[scan.exceeded]}. Send a simpler one.`);
  }
  const read = readChatCompletionRequest(parseJson(text));
  if ("request" in read) {
    return Object.assign(withBody, { chat: read.request, members: scan.members });
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

function decode(body: Uint8Array): string {
  const text = decodeUtf8(body);
  if (text !== undefined) return text;
  throw new GatewayError("invalid_json", "The request body is not valid UTF-8. Encode it as UTF-8.");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError(
      "invalid_json",
      "The request body is not valid JSON. Check its quotes, commas and brackets.",
    );
  }
}
