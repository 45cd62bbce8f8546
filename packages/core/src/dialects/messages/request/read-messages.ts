import type { GatewayError } from "../../../errors/gateway-error.ts";
import { once } from "../../../runtime/once.ts";
import { schemaError } from "../../../steps/parse-request.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import type { Inspection } from "../../../wire/forwarding/inspection.ts";
import { parseOutlined } from "../../../wire/forwarding/request-text.ts";
import type { Json } from "../../../wire/json.ts";
import type { Prompt } from "../../../wire/prompt.ts";
import { promptOfMessages, promptOfOutline } from "./messages-prompt.ts";
import {
  type MessagesRequest,
  type MessagesSettings,
  messagesShape,
  readMessagesRequest,
  readMessagesSettings,
} from "./messages-schema.ts";
import { areSigned } from "./unsigned-thinking.ts";
import { whyUntranslatable } from "./untranslatable.ts";

/** What the checks need of a Messages request. */
export interface ReadMessages {
  readonly settings: MessagesSettings;
  readonly prompt: Prompt;
  /** Why only targets that speak the dialect can serve it. */
  readonly untranslatable: GatewayError | undefined;
  /** False if thoughts have no signature. */
  readonly isSigned: boolean;
  /** Returns the request as a whole. */
  whole(): MessagesRequest;
}

/**
 * Reads a request whose messages, system prompt and tools the scan has validated, which are then parsed on first access.
 * Such a request can be translated, and all its thoughts are signed. Returns undefined if it must be parsed as a whole.
 */
export function readUnparsedMessages(
  body: Uint8Array,
  inspection: Inspection,
  counts: boolean,
): ReadMessages | undefined {
  const parsed = parseOutlined(body, inspection, messagesShape);
  if (parsed === undefined) return undefined;
  const read = readMessagesSettings(parsed.settings, counts);
  if ("problem" in read) throw schemaError(read.problem);
  const whole = once(() => requestOf(JSON.parse(decodeUtf8(body) ?? ""), counts));
  const prompt = promptOfOutline(parsed.outline, whole);
  return { settings: read.settings, prompt, untranslatable: undefined, isSigned: true, whole };
}

/** Reads a parsed request. The reference implementation of {@link readUnparsedMessages}. Throws 400 if it does not match the schema. */
export function readParsedMessages(value: Json, counts: boolean): ReadMessages {
  const request = requestOf(value, counts);
  return {
    settings: request,
    prompt: promptOfMessages(request),
    untranslatable: whyUntranslatable(request),
    isSigned: areSigned(request.messages),
    whole: () => request,
  };
}

function requestOf(value: Json, counts: boolean): MessagesRequest {
  const read = readMessagesRequest(value, counts);
  if ("problem" in read) throw schemaError(read.problem);
  return read.request;
}
