import { decodeUtf8, encodeUtf8, isUtf8 } from "../bytes.ts";
import {
  type ChatCompletionRequest,
  type ChatMessage,
  type ChatParameters,
  chatShape,
  readChatCompletionRequest,
  readChatParameters,
} from "../chat-completion-request.ts";
import { type MemberChange, type Removal, removedRanges } from "../edits.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { findNamed, type JsonMember } from "../json-members.ts";
import { type Media, noUnknownParts } from "../media.ts";
import { withMediaAfterResults } from "../media-after-results.ts";
import { valuesAtOnce } from "../parse-in-steps.ts";
import { type Prompt, promptOf } from "../prompt.ts";
import type { RequestShape } from "../shape-of.ts";
import type { RequestProblem } from "../value-schemas.ts";
import type { Inspection, Outline } from "./inspection.ts";
import { shortcuts } from "./shortcuts.ts";
import { spliceMembers } from "./splice-members.ts";

/** The parts of a request that the checks read. */
export interface ReadRequest {
  readonly chat: ChatParameters;
  readonly prompt: Prompt;
  /** The request, if it had to be parsed as a whole. */
  readonly whole: ChatCompletionRequest | undefined;
}

/** A request that was read, or the first problem of one that does not match the schema. */
export type Reading = ReadRequest | { readonly problem: RequestProblem };

const someTools: MemberChange = { name: "tools", value: [{}], json: encodeUtf8("[{}]") };

/**
 * Parses the members of a request that the scan has not validated. In place of its tools, if it has any, is a list of one.
 * Returns them with the outline of the others, or undefined if the request must be parsed as a whole.
 */
export function parseOutlined(
  bytes: Uint8Array,
  { outline, members, values }: Inspection,
  { removals }: RequestShape,
): { readonly outline: Outline; readonly settings: JsonObject } | undefined {
  // An adapter may read the request as a value, which parses it in one step.
  if (outline === undefined || values > valuesAtOnce || shortcuts.reference !== undefined || !isUtf8(bytes))
    return undefined;
  const changes = outline.tools.length > 0 ? [...removals, someTools] : removals;
  const settings: unknown = JSON.parse(decodeUtf8(spliceMembers(bytes, members, changes)) ?? "");
  return isJsonObject(settings) ? { outline, settings } : undefined;
}

/**
 * Reads a chat completion whose messages and tools the scan has validated. It parses only the other members. Returns
 * undefined if the request must be parsed as a whole.
 */
export function readUnparsed(bytes: Uint8Array, inspection: Inspection): Reading | undefined {
  const parsed = parseOutlined(bytes, inspection, chatShape);
  if (parsed === undefined) return undefined;
  const messages = findNamed(bytes, inspection.members, "messages");
  if (messages === undefined) return undefined;
  const read = readChatParameters(parsed.settings);
  if ("problem" in read) return read;
  return { chat: read.parameters, prompt: new UnparsedPrompt(bytes, messages, parsed.outline), whole: undefined };
}

/** Reads a parsed request. The reference implementation of {@link readUnparsed}. */
export function readParsed(value: Json): Reading {
  const read = readChatCompletionRequest(value);
  if ("problem" in read) return read;
  const { request } = read;
  return { chat: request, prompt: promptOf(request.messages), whole: request };
}

/** Messages that are parsed on first access. */
class UnparsedPrompt implements Prompt {
  readonly messageCount: number;
  readonly images: Media["images"];
  readonly unknown = noUnknownParts;
  readonly #bytes: Uint8Array;
  readonly #member: JsonMember;
  #messages: readonly ChatMessage[] | undefined;

  constructor(bytes: Uint8Array, member: JsonMember, { messages, images }: Outline) {
    this.messageCount = messages.length;
    this.images = images;
    this.#bytes = bytes;
    this.#member = member;
  }

  get messages(): readonly ChatMessage[] {
    this.#messages ??= parseMessages(this.#bytes, this.#member);
    return this.#messages;
  }
}

/** The scan has validated them. */
const parseMessages = (bytes: Uint8Array, { valueStart, valueEnd }: JsonMember): readonly ChatMessage[] =>
  JSON.parse(decodeUtf8(bytes.subarray(valueStart, valueEnd)) ?? "");

/** The changes to a request for one upstream. */
export interface Changes {
  /** Top-level members. */
  readonly members: readonly MemberChange[];
  /** True for a nested member that is left out. */
  isRemoved(removal: Pick<Removal, "why">): boolean;
  /** True if images and files in results of tools move into the next message of the user. Absent: they stay. */
  readonly movesMedia?: boolean;
}

/** A request that upstreams receive, each with the changes that it needs. */
export interface SentText {
  /** Returns the changed request as JSON in UTF-8. */
  changed(changes: Changes): Uint8Array;
  /** Returns the changed request as a value. */
  changedValue(changes: Changes): ChatCompletionRequest;
}

/** The JSON of a request in UTF-8, as the client sent it. */
export class RequestText implements SentText {
  readonly #bytes: Uint8Array;
  readonly #parts: Pick<Inspection, "members" | "removals">;
  readonly #whole: ChatCompletionRequest | undefined;

  /** `parts` are the ranges of its members, and of what may be removed. `whole` is the request if it has been parsed. */
  constructor(
    bytes: Uint8Array,
    parts: Pick<Inspection, "members" | "removals">,
    whole: ChatCompletionRequest | undefined,
  ) {
    this.#bytes = bytes;
    this.#parts = parts;
    this.#whole = whole;
  }

  /** The text as the client sent it. */
  get original(): Uint8Array {
    return this.#bytes;
  }

  /** Returns the value of a short member of the request. Undefined if it is absent, or longer than 4,096 bytes. */
  member(name: string): unknown {
    const bytes = this.#bytes;
    const member = findNamed(bytes, this.#parts.members, name);
    if (member === undefined || member.valueEnd - member.valueStart > 4_096) return undefined;
    return JSON.parse(decodeUtf8(bytes.subarray(member.valueStart, member.valueEnd)) ?? "null");
  }

  /** All other bytes stay the same. */
  changed(changes: Changes): Uint8Array {
    const spliced = this.#spliced(changes);
    return changes.movesMedia ? withMediaAfterResults(spliced) : spliced;
  }

  changedValue(changes: Changes): ChatCompletionRequest {
    const whole = this.#whole;
    if (whole === undefined || changes.movesMedia || this.#removals(changes).length > 0)
      // Changes and removals do not make a validated request invalid.
      return JSON.parse(decodeUtf8(this.changed(changes)) ?? "");
    const changed: ChatCompletionRequest = { ...whole, messages: [...whole.messages] };
    for (const { name, value } of changes.members) {
      if (value === undefined) delete changed[name];
      else changed[name] = value;
    }
    return changed;
  }

  #spliced(changes: Changes): Uint8Array {
    const removals = this.#removals(changes);
    if (shortcuts.reference !== undefined) return shortcuts.reference(this.#bytes, changes.members, removals);
    return spliceMembers(this.#bytes, this.#parts.members, changes.members, removedRanges(removals));
  }

  #removals(changes: Changes): readonly Removal[] {
    const { removals } = this.#parts;
    return removals.length > 0 ? removals.filter((removal) => changes.isRemoved(removal)) : removals;
  }
}
