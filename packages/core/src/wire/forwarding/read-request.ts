import {
  type ChatCompletionRequest,
  type ChatMessage,
  type ChatParameters,
  type RequestProblem,
  readChatCompletionRequest,
  readChatParameters,
} from "../chat-completion-request.ts";
import type { Images } from "../images.ts";
import type { Json } from "../json.ts";
import { isNamed, type JsonMember } from "../json-members.ts";
import { valuesAtOnce } from "../parse-in-steps.ts";
import { type Prompt, promptOf } from "../prompt.ts";
import { noUnknownParts } from "../unknown-parts.ts";
import { decodeUtf8, isUtf8 } from "../utf8.ts";
import type { Inspection, Outline } from "./inspect-request.ts";
import { shortcuts } from "./shortcuts.ts";
import { type MemberChange, spliceMembers } from "./splice-members.ts";

/** What the checks read of a request. */
export interface ReadRequest {
  readonly chat: ChatParameters;
  readonly prompt: Prompt;
  /** The request, when it had to be parsed as a whole. */
  readonly whole: ChatCompletionRequest | undefined;
}

type Reading = ReadRequest | { readonly problem: RequestProblem };

const noMessages: MemberChange = { name: "messages", value: undefined };
const someTools: MemberChange = { name: "tools", value: [{}], json: "[{}]" };

/**
 * Reads a request whose messages and tools the scan compared with the schema: these are not parsed, only what stands
 * beside them. Undefined when the request must be parsed as a whole.
 */
export function readUnparsed(bytes: Uint8Array, { outline, members, values }: Inspection): Reading | undefined {
  // An adapter may ask for the request as a value, which is then parsed at once.
  if (outline === undefined || values > valuesAtOnce || !shortcuts.areOn || !isUtf8(bytes)) return undefined;
  const messages = members.find((member) => isNamed(bytes, member, "messages"));
  if (messages === undefined) return undefined;
  const settings = spliceMembers(bytes, members, outline.tools > 0 ? [noMessages, someTools] : [noMessages]);
  const read = readChatParameters(JSON.parse(decodeUtf8(settings) ?? ""));
  if ("problem" in read) return read;
  return { chat: read.parameters, prompt: new UnparsedPrompt(bytes, messages, outline), whole: undefined };
}

/** The plain reference of {@link readUnparsed}: reads a request that has been parsed. */
export function readParsed(value: Json): Reading {
  const read = readChatCompletionRequest(value);
  if ("problem" in read) return read;
  const { request } = read;
  return { chat: request, prompt: promptOf(request.messages), whole: request };
}

/** Messages that are parsed when somebody asks for them. */
class UnparsedPrompt implements Prompt {
  readonly messageCount: number;
  readonly images: Images;
  readonly unknown = noUnknownParts;
  readonly #json: Uint8Array;
  #messages: readonly ChatMessage[] | undefined;

  constructor(bytes: Uint8Array, { valueStart, valueEnd }: JsonMember, { messages, images }: Outline) {
    this.messageCount = messages;
    this.images = images;
    this.#json = bytes.subarray(valueStart, valueEnd);
  }

  get messages(): readonly ChatMessage[] {
    this.#messages ??= parseMessages(this.#json);
    return this.#messages;
  }
}

/** The scan compared them with the schema. */
const parseMessages = (json: Uint8Array): readonly ChatMessage[] => JSON.parse(decodeUtf8(json) ?? "");
