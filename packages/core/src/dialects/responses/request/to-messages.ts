import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ChatMessage, ToolCall } from "../../../wire/chat-completion-request.ts";
import { isNoArguments } from "../../../wire/tool-arguments.ts";
import { type ChatContent, toChatContent } from "./content-parts.ts";
import {
  type CallOutputItem,
  type InputItem,
  isCallOutput,
  isCustomCall,
  isFunctionCall,
  isMessage,
  isReasoning,
  type MessageItem,
} from "./input-items.ts";
import { untranslatable } from "./untranslatable.ts";

/** Messages of a chat completion, and why they say less than the items. */
export interface TranslatedInput {
  readonly messages: readonly ChatMessage[];
  readonly problem: GatewayError | undefined;
}

/**
 * Translates instructions and input items to messages. Calls join the assistant's message before them, and each result
 * follows the message with its call, as chat completions demand. Reasoning is left out.
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
  readonly calls: ToolCall[];
  readonly results: ChatMessage[];
}

class Conversation {
  readonly #entries: Entry[] = [];
  readonly #byCall = new Map<string, Entry>();
  #problem: GatewayError | undefined;

  constructor(instructions: string | undefined) {
    if (instructions !== undefined) this.#push("system", instructions);
  }

  add(item: InputItem, param: string): void {
    if (isMessage(item)) this.#addMessage(item, param);
    else if (isFunctionCall(item))
      this.#addCall(item.call_id, item.name, isNoArguments(item.arguments) ? "{}" : item.arguments);
    else if (isCustomCall(item)) this.#addCall(item.call_id, item.name, JSON.stringify({ input: item.input }));
    else if (isCallOutput(item)) this.#addResult(item, param);
    else if (!isReasoning(item)) this.#problem ??= untranslatable(`${param}.type`);
  }

  translated(): TranslatedInput {
    const messages = this.#entries.flatMap(({ role, content, calls, results }): ChatMessage[] => [
      { role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
      ...results,
    ]);
    return { messages, problem: this.#problem };
  }

  #push(role: Entry["role"], content: Entry["content"]): Entry {
    const entry: Entry = { role, content, calls: [], results: [] };
    this.#entries.push(entry);
    return entry;
  }

  #addMessage({ role, content }: MessageItem, param: string): void {
    const translated = this.#read(content, `${param}.content`, role === "assistant" ? "" : undefined);
    const last = this.#entries.at(-1);
    // What the model says after a call, before its result, is part of the same message.
    const isSame = role === "assistant" && last !== undefined && last.calls.length > 0 && last.results.length === 0;
    if (isSame && last.content === null) last.content = translated;
    else this.#push(role, translated);
  }

  #addCall(id: string, name: string, args: string): void {
    const last = this.#entries.at(-1);
    const isOpen = last?.role === "assistant" && last.results.length === 0;
    const entry = isOpen ? last : this.#push("assistant", null);
    entry.calls.push({ id, type: "function", function: { name, arguments: args } });
    this.#byCall.set(id, entry);
  }

  #addResult({ call_id: id, output }: CallOutputItem, param: string): void {
    const content = this.#read(output, `${param}.output`, "\n");
    const entry = this.#byCall.get(id);
    if (entry === undefined) this.#problem ??= untranslatable(`${param}.call_id`, ", which names no call in `input`,");
    const message: ChatMessage = { role: "tool", tool_call_id: id, content };
    (entry ?? this.#push("assistant", null)).results.push(message);
  }

  #read(content: MessageItem["content"], param: string, join: string | undefined): ChatContent {
    const translated = toChatContent(content, param, join);
    this.#problem ??= translated.problem;
    return translated.content;
  }
}
