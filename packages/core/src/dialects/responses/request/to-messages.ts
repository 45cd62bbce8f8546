import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ChatMessage, ToolCall } from "../../../wire/chat-completion-request.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import { resultsAfterCalls } from "../../../wire/results-after-calls.ts";
import { isNoArguments } from "../../../wire/tool-calls.ts";
import { clientTools, toolOfCall, toolOfOutput } from "./client-tools.ts";
import { type ChatContent, toChatContent } from "./content-parts.ts";
import {
  type InputItem,
  isCallOutput,
  isCustomCall,
  isFunctionCall,
  isMessage,
  isReasoning,
  itemType,
  type MessageItem,
  type ReasoningItem,
} from "./input-items.ts";
import { untranslatable } from "./untranslatable.ts";

/** Messages of a chat completion, and why they say less than the items. */
export interface TranslatedInput {
  readonly messages: readonly ChatMessage[];
  /** The types of the items that messages cannot say. */
  readonly leftOut: readonly string[];
  readonly problem: GatewayError | undefined;
}

/**
 * Translates instructions and input items to messages. Calls join the assistant's message before them, and each result
 * follows the message with its call, as chat completions demand. Reasoning belongs to the assistant's message after it. What a
 * client's own tools and those of OpenAI left in the conversation and no message can say is left out.
 */
export function toMessages(instructions: string | undefined, items: readonly InputItem[]): TranslatedInput {
  const conversation = new Conversation(instructions);
  for (const [at, item] of items.entries()) conversation.add(item, `input.${at}`);
  return conversation.translated();
}

/** A message, and the results of the calls in it. */
interface Entry {
  readonly role: ChatMessage["role"];
  content: ChatContent | null;
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

  add(item: InputItem, param: string): void {
    if (isMessage(item)) this.#addMessage(item, param);
    else if (isFunctionCall(item))
      this.#addCall(item.call_id, item.name, isNoArguments(item.arguments) ? "{}" : item.arguments);
    else if (isCustomCall(item)) this.#addCall(item.call_id, item.name, JSON.stringify({ input: item.input }));
    else if (isCallOutput(item)) {
      this.#addResult(item, item.call_id, () => this.#read(item.output, `${param}.output`, "\n"));
    } else if (isReasoning(item)) this.#thoughts += thoughtsOf(item);
    else this.#addOther(item);
  }

  translated(): TranslatedInput {
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

  #addMessage({ role, content }: MessageItem, param: string): void {
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

  #addResult(item: InputItem, id: unknown, content: () => ChatContent): void {
    const entry = this.#byCall.get(id);
    if (entry === undefined || typeof id !== "string") this.#leftOut.add(itemType(item));
    else entry.results.push({ role: "tool", tool_call_id: id, content: content() });
  }

  /** Adds what the client's own tools and those of OpenAI left, as far as a message can say it. */
  #addOther(item: InputItem): void {
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

  #read(content: MessageItem["content"], param: string, join: string | undefined): ChatContent {
    const translated = toChatContent(content, param, join);
    this.#problem ??= translated.problem;
    return translated.content;
  }
}

/** The text of a reasoning item: in full where the client has it, else its summary. */
function thoughtsOf({ content, summary }: ReasoningItem): string {
  const full = joinTexts(content);
  return full === "" ? joinTexts(summary) : full;
}

const joinTexts = (parts: unknown): string =>
  (Array.isArray(parts) ? parts : [])
    .map((part: unknown) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
