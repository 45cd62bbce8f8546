import type { ChatMessage, ChatParameters } from "./chat-completion-request.ts";
import type { Images } from "./images.ts";
import { scanJson } from "./json-members.ts";
import { anyNumber, anyString } from "./json-patterns.ts";
import type { Prompt } from "./prompt.ts";
import type { RequestText } from "./request-text.ts";
import { type MemberChange, spliceMembers } from "./splice-members.ts";
import { noUnknownParts } from "./unknown-parts.ts";
import { encodeUtf8 } from "./utf8.ts";

/** The parts of a text that the expression catches. */
interface Parts {
  /** What stands before the model's name, which stands with its quotes, and what stands behind it. */
  readonly before: string;
  readonly model: string;
  readonly after: string;
  /** The array of the messages. */
  readonly messages: string;
  /** The other members, each with the comma before it. */
  readonly settings: string;
}

/**
 * A request of texts alone: a model's name, messages that have a role and a text, and settings that ask for nothing special,
 * as most requests are. It is matched, not parsed: its messages are read when somebody asks for them, which no
 * check does and no upstream that is given JSON.
 */
export class PlainRequest implements Prompt, RequestText {
  readonly isPlain = true;
  readonly parameters: ChatParameters;
  readonly length: number;
  readonly images: Images = noImages;
  readonly unknown = noUnknownParts;
  readonly withoutNulls = undefined;
  readonly #parts: Parts;
  #messages: readonly ChatMessage[] | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.parameters = JSON.parse(`{"model":${parts.model}${parts.settings}}`);
    this.length = countMessages(parts.messages);
  }

  get messages(): readonly ChatMessage[] {
    this.#messages ??= readMessages(this.#parts.messages);
    return this.#messages;
  }

  changed(changes: readonly MemberChange[]): Uint8Array {
    const { before, model, after } = this.#parts;
    const [first] = changes;
    if (changes.length === 1 && first?.name === "model" && first.json !== undefined)
      return encodeUtf8(before + first.json + after);
    const bytes = encodeUtf8(before + model + after);
    const scan = scanJson(bytes);
    return spliceMembers(bytes, "members" in scan ? scan.members : [], changes);
  }
}

const noImages: Images = { count: 0, addressLength: 0 };

/** What the expression took is what the schema takes. */
function readMessages(json: string): readonly ChatMessage[] {
  return JSON.parse(json);
}

/** No text of a message can have this in it, since its quotes would have backslashes before them. */
const startOfMessage = '{"role":';

function countMessages(json: string): number {
  let count = 0;
  for (let at = 0; at >= 0; at = json.indexOf(startOfMessage, at + startOfMessage.length)) count += 1;
  return count;
}

/** In longer ones the texts cost all, and to match them takes as long as to parse them. */
const longestText = 4_096;

/** The request that a text is, when it is a plain one of no more than 4,096 characters; to the schema it is without fault. */
export function readPlainRequest(text: string): PlainRequest | undefined {
  const found = text.length > longestText ? null : plainRequest.exec(text);
  if (found === null) return undefined;
  const [, before = "", earlier, model = "", after = "", later, settings = ""] = found;
  const messages = earlier ?? later;
  if (messages === undefined || (earlier !== undefined && later !== undefined)) return undefined;
  return new PlainRequest({ before, model, after, messages, settings });
}

// With the spaces that clients in Python put behind commas and colons, and no others.
const message = `\\{"role": ?"(?:system|developer|user|assistant)", ?"content": ?${anyString}\\}`;
const messages = `"messages": ?(\\[${message}(?:, ?${message})*\\])`;
const flag = "(?:true|false)";
const setting = [
  `(?:temperature|top_p|presence_penalty|frequency_penalty)": ?${anyNumber}`,
  String.raw`(?:max_tokens|max_completion_tokens|seed)": ?[1-9]\d{0,14}`,
  `(?:user|stop|reasoning_effort)": ?${anyString}`,
  `stream": ?${flag}`,
  `stream_options": ?\\{"include_usage": ?${flag}\\}`,
].join("|");
/** None comes twice: JSON.parse takes the last, and an upstream might take the first. */
const settings = `(?:, ?"(?!([a-z_]+":)[^]*"\\7)(?:${setting}))*`;

/** RFC 8259, of which this is a part. Messages stand before the model's name or behind it. */
const plainRequest = new RegExp(
  `^(\\{(?:${messages}, ?)?"model": ?)(${anyString})((?:, ?${messages})?(${settings})\\})$`,
);
