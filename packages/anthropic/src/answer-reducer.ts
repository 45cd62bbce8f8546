import {
  type ChatCompletionChunk,
  type ChatCompletionDelta,
  fromMessagesUsage,
  type JsonObject,
  laterMessagesUsage,
  writeLosslessJson,
} from "@tollgate/core/provider";
import { toFinishReason } from "./finish-reason.ts";
import { isJsonObject } from "./json-object.ts";

interface OpenCall {
  readonly position: number;
  /** Whether some of its arguments were emitted. */
  hasArguments: boolean;
}

/**
 * Maps the events of one answer, in order, to chunks. Unknown types of events and blocks are ignored, as the API
 * requires of its clients.
 * Follows https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class AnswerReducer {
  readonly #calls = new Map<unknown, OpenCall>();
  #head: { readonly id?: string; readonly model?: string } = {};
  #usage: JsonObject = {};
  #finished = false;
  #callCount = 0;

  /** Whether the stop reason has arrived, so that the answer is complete. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Returns the chunks for an event, usually one. */
  reduce(event: JsonObject): ChatCompletionChunk[] {
    switch (event["type"]) {
      case "message_start":
        return this.#begin(objectOf(event["message"]));
      case "content_block_start":
        return this.#openBlock(event["index"], objectOf(event["content_block"]));
      case "content_block_delta":
        return this.#extendBlock(event["index"], objectOf(event["delta"]));
      case "content_block_stop":
        return this.#closeBlock(event["index"]);
      case "message_delta":
        return this.#finish(objectOf(event["delta"]), event["usage"]);
      default:
        return [];
    }
  }

  /** Returns the usage chunk, which follows the last event. It is absent if the usage is unknown. */
  end(): ChatCompletionChunk[] {
    const usage = fromMessagesUsage(this.#usage);
    return usage === undefined ? [] : [{ ...this.#envelope(), choices: [], usage }];
  }

  #begin({ id, model, usage }: JsonObject): ChatCompletionChunk[] {
    this.#head = { ...(typeof id === "string" ? { id } : {}), ...(typeof model === "string" ? { model } : {}) };
    this.#usage = laterMessagesUsage(this.#usage, usage);
    return [this.#chunk({ role: "assistant", content: null })];
  }

  #openBlock(index: unknown, block: JsonObject): ChatCompletionChunk[] {
    if (block["type"] === "text") return this.#text("content", block["text"]);
    if (block["type"] === "thinking") return this.#text("reasoning_content", block["thinking"]);
    const { id, name, input } = block;
    if (block["type"] !== "tool_use" || typeof id !== "string" || typeof name !== "string") return [];
    const args = isJsonObject(input) && Object.keys(input).length > 0 ? writeLosslessJson(input) : "";
    const call = { position: this.#callCount, hasArguments: args !== "" };
    this.#callCount += 1;
    this.#calls.set(index, call);
    return [this.#callChunk(call, { id, type: "function" }, { name, arguments: args })];
  }

  #extendBlock(index: unknown, delta: JsonObject): ChatCompletionChunk[] {
    if (delta["type"] === "text_delta") return this.#text("content", delta["text"]);
    if (delta["type"] === "thinking_delta") return this.#text("reasoning_content", delta["thinking"]);
    const call = this.#calls.get(index);
    const piece = delta["partial_json"];
    if (delta["type"] !== "input_json_delta" || call === undefined || typeof piece !== "string") return [];
    if (piece === "") return [];
    call.hasArguments = true;
    return [this.#callChunk(call, {}, { arguments: piece })];
  }

  /** The API sends no delta for a call without arguments, but clients expect JSON. */
  #closeBlock(index: unknown): ChatCompletionChunk[] {
    const call = this.#calls.get(index);
    return call === undefined || call.hasArguments ? [] : [this.#callChunk(call, {}, { arguments: "{}" })];
  }

  #finish({ stop_reason: reason, stop_details: details }: JsonObject, usage: unknown): ChatCompletionChunk[] {
    this.#usage = laterMessagesUsage(this.#usage, usage);
    if (typeof reason !== "string" || this.#finished) return [];
    this.#finished = true;
    const explanation = reason === "refusal" && isJsonObject(details) ? details["explanation"] : undefined;
    const delta = typeof explanation === "string" ? { refusal: explanation } : {};
    return [{ ...this.#envelope(), choices: [{ index: 0, delta, finish_reason: toFinishReason(reason) }] }];
  }

  #text(member: "content" | "reasoning_content", text: unknown): ChatCompletionChunk[] {
    return typeof text === "string" && text !== "" ? [this.#chunk({ [member]: text })] : [];
  }

  #callChunk(
    { position }: OpenCall,
    head: { readonly id?: string; readonly type?: "function" },
    fn: { readonly name?: string; readonly arguments: string },
  ): ChatCompletionChunk {
    return this.#chunk({ tool_calls: [{ index: position, ...head, function: fn }] });
  }

  #chunk(delta: ChatCompletionDelta): ChatCompletionChunk {
    return { ...this.#envelope(), choices: [{ index: 0, delta, finish_reason: null }] };
  }

  #envelope() {
    return { ...this.#head, object: "chat.completion.chunk" };
  }
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
