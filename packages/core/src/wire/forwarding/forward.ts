import { decodeUtf8, isUtf8 } from "../bytes.ts";
import {
  type ChatCompletionRequest,
  type ChatMessage,
  type ChatParameters,
  type RequestProblem,
  readChatCompletionRequest,
  readChatParameters,
} from "../chat-completion-request.ts";
import type { Images } from "../images.ts";
import { isJsonObject, type Json } from "../json.ts";
import { isNamed, type JsonMember } from "../json-members.ts";
import type { NormalizedCompletion } from "../normalize-completion.ts";
import { valuesAtOnce } from "../parse-in-steps.ts";
import { type Prompt, promptOf } from "../prompt.ts";
import { noUnknownParts } from "../unknown-parts.ts";
import type { Usage } from "../usage.ts";
import { CompletionTemplates } from "./completion-templates.ts";
import { findModel } from "./find-model.ts";
import type { Inspection, Outline } from "./inspect-request.ts";
import { type Cut, gapsOf } from "./level.ts";
import { rewriteRequest } from "./rewrite-request.ts";
import { shortcuts } from "./shortcuts.ts";
import { type MemberChange, spliceMembers } from "./splice-members.ts";
import { asCanonicalCompletion } from "./whole-completion.ts";

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

/** Where the members of a text and what may be cut from it stand. */
export interface TextParts {
  readonly members: readonly JsonMember[];
  readonly cuts: readonly Cut[];
}

/** What an upstream needs changed in a request: members of the request itself, and which of the cuts inside are made. */
export interface Changes {
  readonly members: readonly MemberChange[];
  readonly isCut: (cut: Cut) => boolean;
}

/** The JSON of a request in UTF-8, of which each upstream is sent all but what has to be changed for it. */
export class RequestText {
  readonly #bytes: Uint8Array;
  readonly #parts: TextParts;
  readonly #whole: ChatCompletionRequest | undefined;

  /** `whole` is the request when it has been parsed. */
  constructor(bytes: Uint8Array, parts: TextParts, whole: ChatCompletionRequest | undefined) {
    this.#bytes = bytes;
    this.#parts = parts;
    this.#whole = whole;
  }

  /** The text with the changes; everything else stays byte for byte. */
  changed({ members, isCut }: Changes): Uint8Array {
    const cuts = this.#cuts(isCut);
    if (!shortcuts.areOn) return rewriteRequest(this.#bytes, members, cuts);
    return spliceMembers(this.#bytes, this.#parts.members, members, gapsOf(cuts));
  }

  /** The same as a value. */
  changedValue(changes: Changes): ChatCompletionRequest {
    const whole = this.#whole;
    if (whole === undefined || this.#cuts(changes.isCut).length > 0) return readRequest(this.changed(changes));
    const changed: ChatCompletionRequest = { ...whole, messages: [...whole.messages] };
    for (const { name, value } of changes.members) {
      if (value === undefined) delete changed[name];
      else changed[name] = value;
    }
    return changed;
  }

  #cuts(isCut: (cut: Cut) => boolean): readonly Cut[] {
    const { cuts } = this.#parts;
    return cuts.length > 0 ? cuts.filter(isCut) : cuts;
  }
}

/** What the schema took stays a request, whatever is changed or cut. */
function readRequest(bytes: Uint8Array): ChatCompletionRequest {
  return JSON.parse(decodeUtf8(bytes) ?? "");
}

/** The text of a completion, and where it comes from. */
export interface GivenCompletion {
  readonly text: string;
  /** Parses the text, and throws when there is no completion in it. */
  readonly parse: () => unknown;
  /** What has completions of few shapes, and always the same public model: a target. */
  readonly source: object;
}

/** A model id of the gateway, also as JSON. */
export interface PublicModel {
  readonly id: string;
  readonly idJson: string;
}

/** A completion as the client gets it: the text that the upstream sent, with the public model id. */
export interface ForwardedCompletion {
  readonly json: string;
  readonly usage: Usage;
  /** How many bytes more than the upstream's text that has in UTF-8, where it is known. */
  readonly growth: number | undefined;
  /** The same as a value; undefined where the text was not parsed. */
  readonly completion: NormalizedCompletion | undefined;
}

/** The templates of each source. */
const templates = new WeakMap<object, CompletionTemplates>();

const noFingerprint = ',"system_fingerprint":null';

/**
 * Puts the public model id into the text of a completion that needs no other change. For any other it returns the parsed
 * value, which has to be normalized: `normalizeCompletion` is the plain reference and makes the same of the former.
 */
export function forwardCompletion(
  { text, parse, source }: GivenCompletion,
  model: PublicModel,
): { readonly forwarded: ForwardedCompletion } | { readonly parsed: unknown } {
  if (!shortcuts.areOn) return { parsed: parse() };
  const known = templatesOf(source);
  const match = known.match(text);
  if (match !== undefined) return { forwarded: { ...match, completion: undefined } };
  const parsed = parse();
  const hasFingerprint = isJsonObject(parsed) && "system_fingerprint" in parsed;
  const canonical = asCanonicalCompletion(parsed, model.id);
  const range = canonical && findModel(text);
  if (range === undefined || canonical?.usage === undefined) return { parsed };
  const put = hasFingerprint ? model.idJson : model.idJson + noFingerprint;
  known.learn(text, range, put);
  const json = text.slice(0, range.start) + put + text.slice(range.end);
  return { forwarded: { json, usage: canonical.usage, growth: undefined, completion: canonical.completion } };
}

function templatesOf(source: object): CompletionTemplates {
  const known = templates.get(source);
  if (known !== undefined) return known;
  const fresh = new CompletionTemplates();
  templates.set(source, fresh);
  return fresh;
}
