import { GatewayError } from "../../../errors/gateway-error.ts";
import type { ChatMessage, ToolCall } from "../../../wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import { resultsAfterCalls } from "../../../wire/results-after-calls.ts";
import { isNoArguments } from "../../../wire/tool-calls.ts";
import { clientTools, toolOfCall, toolOfOutput } from "./client-tools.ts";
import {
  type Content,
  isCallOutput,
  isCustomCall,
  isFilePart,
  isFunctionCall,
  isImagePart,
  isMessage,
  isReasoning,
  isRefusalPart,
  isTextPart,
  itemType,
  type TypedObject,
} from "./request-schema.ts";

/**
 * Translates instructions and input items to messages. Calls join the assistant's message before them, and each result
 * follows the message with its call, as chat completions demand. Reasoning belongs to the assistant's message after it. What a
 * client's own tools and those of OpenAI left in the conversation and no message can say is left out: `leftOut` has the types
 * of these items, and `problem` is why only targets with the Responses API can serve the request.
 */
export function toMessages(instructions: string | undefined, items: readonly JsonObject[]) {
  const conversation = new Conversation(instructions);
  for (const [at, item] of items.entries()) conversation.add(item, `input.${at}`);
  return conversation.translated();
}

/** A message, and the results of the calls in it. */
interface Entry {
  readonly role: ChatMessage["role"];
  content: ChatMessage["content"];
  thoughts: string;
  readonly calls: ToolCall[];
  readonly results: ChatMessage[];
}

/** Its tools are among those of the request. */
const additionalTools = "additional_tools";

class Conversation {
  readonly #entries: Entry[] = [];
  readonly #byCall = new Map<unknown, Entry>();
  readonly #callOfItem = new Map<unknown, string>();
  readonly #leftOut = new Set<string>();
  #problem: GatewayError | undefined;
  /** Reasoning whose message has not come yet. */
  #thoughts = "";

  constructor(instructions: string | undefined) {
    if (instructions !== undefined) this.#push("system", instructions);
  }

  add(item: JsonObject, param: string): void {
    if (isMessage(item)) this.#addMessage(item.role, item.content, param);
    else if (isFunctionCall(item))
      this.#addCall(item.call_id, item.name, isNoArguments(item.arguments) ? "{}" : item.arguments);
    else if (isCustomCall(item)) this.#addCall(item.call_id, item.name, JSON.stringify({ input: item.input }));
    else if (isCallOutput(item)) {
      this.#addResult(item, item.call_id, () => this.#read(item.output, `${param}.output`, "\n"));
    } else if (isReasoning(item)) this.#thoughts += thoughtsOf(item);
    else this.#addOther(item);
  }

  translated() {
    const messages = this.#entries.flatMap(({ role, content, thoughts, calls, results }): ChatMessage[] => [
      {
        role,
        content,
        ...(thoughts === "" ? {} : { reasoning_content: thoughts }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      },
      ...results,
    ]);
    // Upstreams refuse a request without messages.
    if (messages.length === 0 && this.#leftOut.size > 0) this.#problem ??= untranslatable("input.0.type");
    return { messages: resultsAfterCalls(messages), leftOut: [...this.#leftOut], problem: this.#problem };
  }

  #push(role: Entry["role"], content: Entry["content"]): Entry {
    const entry: Entry = { role, content, thoughts: "", calls: [], results: [] };
    this.#entries.push(entry);
    if (role === "assistant") this.#takeThoughts(entry);
    else this.#thoughts = "";
    return entry;
  }

  #takeThoughts(entry: Entry): void {
    entry.thoughts += this.#thoughts;
    this.#thoughts = "";
  }

  #addMessage(role: Entry["role"], content: Content, param: string): void {
    const translated = this.#read(content, `${param}.content`, role === "assistant" ? "" : undefined);
    const last = this.#entries.at(-1);
    // What the model says after a call, before its result, is part of the same message.
    const isSame = role === "assistant" && last !== undefined && last.calls.length > 0 && last.results.length === 0;
    if (isSame && last.content === null) {
      last.content = translated;
      this.#takeThoughts(last);
    } else this.#push(role, translated);
  }

  #addCall(id: string, name: string, args: string): void {
    const last = this.#entries.at(-1);
    const isOpen = last?.role === "assistant" && last.results.length === 0;
    const entry = isOpen ? last : this.#push("assistant", null);
    this.#takeThoughts(entry);
    entry.calls.push({ id, type: "function", function: { name, arguments: args } });
    this.#byCall.set(id, entry);
  }

  #addResult(item: JsonObject, id: unknown, content: () => Entry["content"]): void {
    const entry = this.#byCall.get(id);
    if (entry === undefined || typeof id !== "string") this.#leftOut.add(itemType(item));
    else entry.results.push({ role: "tool", tool_call_id: id, content: content() });
  }

  /** Adds what the client's own tools and those of OpenAI left, as far as a message can say it. */
  #addOther(item: JsonObject): void {
    const type = itemType(item);
    const called = toolOfCall.get(type) ?? "";
    const answered = clientTools.get(toolOfOutput.get(type));
    const { call_id: callId, id: itemId } = item;
    const id = callId ?? itemId;
    if (answered !== undefined) {
      // The result of a local shell may name the item of the call instead of the call.
      const named = this.#byCall.has(id) ? id : this.#callOfItem.get(itemId);
      this.#addResult(item, named, () => answered.textOf(item));
    } else if (called !== "" && typeof id === "string") {
      this.#callOfItem.set(itemId, id);
      this.#addCall(id, called, writeLosslessJson(clientTools.get(called)?.argumentsOf(item) ?? {}));
    } else if (type !== additionalTools) this.#leftOut.add(type);
  }

  #read(content: Content, param: string, join: string | undefined): Entry["content"] {
    const translated = toChatContent(content, param, join);
    this.#problem ??= translated.problem;
    return translated.content;
  }
}

/** The text of a reasoning item: in full where the client has it, else its summary. */
function thoughtsOf({ content, summary }: JsonObject): string {
  const full = joinTexts(content);
  return full === "" ? joinTexts(summary) : full;
}

const joinTexts = (parts: unknown): string =>
  (Array.isArray(parts) ? parts : [])
    .map((part: unknown) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");

/**
 * Translates a content to that of a chat message. A single text becomes a string, which every upstream understands. `join`
 * also joins several texts with this separator. `param` is the path of the content, and `problem` is why a target without the
 * Responses API cannot get it. Follows https://platform.openai.com/docs/api-reference/chat/create
 */
function toChatContent(content: Content, param: string, join: string | undefined) {
  if (typeof content === "string") return { content, problem: undefined };
  const texts = content.filter(isTextPart);
  if (texts.length === content.length && (texts.length === 1 || join !== undefined)) {
    return { content: texts.map(({ text }) => text).join(join), problem: undefined };
  }
  const parts: JsonObject[] = [];
  let problem: GatewayError | undefined;
  for (const [at, part] of content.entries()) {
    const translated = toChatPart(part, `${param}.${at}`);
    problem ??= translated.problem;
    parts.push(translated.part);
  }
  return { content: parts, problem };
}

/** A part that cannot be translated is kept as it is, so that its size counts. */
function toChatPart(part: TypedObject, param: string): { part: JsonObject; problem?: GatewayError } {
  if (isTextPart(part)) return { part: { type: "text", text: part.text } };
  if (isRefusalPart(part)) return { part: { type: "refusal", refusal: part.refusal } };
  if (isImagePart(part)) {
    const { image_url: url, detail } = part;
    if (url == null) throw withoutData(part, param, "image_url");
    return { part: { type: "image_url", image_url: { url, ...(detail == null ? {} : { detail: detailOf(detail) }) } } };
  }
  if (isFilePart(part)) {
    const { file_data: data, file_url: url, filename } = part;
    const named = filename == null ? {} : { filename };
    if (data != null) return { part: { type: "file", file: { ...named, file_data: data } } };
    if (url == null) throw withoutData(part, param, "file_data");
    return { part: { type: "file", file: { ...named, file_data: url } }, problem: untranslatable(`${param}.file_url`) };
  }
  if (part.type === "input_audio") return { part };
  return { part, problem: untranslatable(`${param}.type`) };
}

/** A `file_id` is refused at any target: it would name a file of the host's account, which may be another customer's. */
function withoutData(part: JsonObject, param: string, member: string): GatewayError {
  if (part["file_id"] == null) {
    const missing = `${param}.${member}`;
    return new GatewayError("invalid_request", `\`${missing}\` is required.`, { param: missing });
  }
  const id = `${param}.file_id`;
  return new GatewayError("unsupported_parameter", `\`${id}\` is not supported here. Send \`${member}\` instead.`, {
    param: id,
  });
}

/** Chat completions do not know the original size. */
const detailOf = (detail: string): string => (detail === "original" ? "high" : detail);

/** The error for a member that only targets with the Responses API understand. `param` is its dot path. */
export const untranslatable = (param: string): GatewayError =>
  new GatewayError(
    "unsupported_parameter",
    `\`${param}\` is not supported by this model, which is not reached through the Responses API. Leave it out.`,
    { param },
  );
