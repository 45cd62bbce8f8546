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

/** Check 5: JSON and schema. */
export function parseRequest(withBody: WithBody): Parsed {
  // Before it is parsed: on millions of brackets a parser spends seconds and a gigabyte.
  const scan = scanJson(withBody.body, { maxDepth });
  if ("exceeded" in scan) {
    const problem = scan.exceeded === "depth" ? `is nested more than ${maxDepth} levels deep` : "has too many members";
    throw new GatewayError("invalid_json", `The request body ${problem}. Send a simpler one.`);
  }
  const read = readChatCompletionRequest(parseJson(withBody.body));
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

function parseJson(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  if (text === undefined)
    throw new GatewayError("invalid_json", "The request body is not valid UTF-8. Encode it as UTF-8.");
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError(
      "invalid_json",
      "The request body is not valid JSON. Check its quotes, commas and brackets.",
    );
  }
}
