import { isPlainObject } from "@tollgate/core/internal";
import {
  type ByteStream,
  type ChatCompletionChunk,
  type ChatCompletionDelta,
  type FailureContext,
  finishReasonOf,
  fromMessagesUsage,
  type JsonObject,
  laterMessagesUsage,
  ProviderError,
  type ToolCallDelta,
  writeLosslessJson,
} from "@tollgate/core/provider";
import { invalidAnswer, streamedEvents } from "./answer-events.ts";

const streamEndTimeoutMs = 1_000;

/** Maps the events of a complete answer to chunks. */
export function wholeChunks(events: readonly JsonObject[]): ChatCompletionChunk[] {
  const reducer = new AnswerReducer();
  return [...events.flatMap((event) => reducer.reduce(event)), ...reducer.end()];
}

/**
 * Maps a streamed answer to chunks as it arrives. Throws the error that the stream fails with, and a ProviderError of the
 * kind `invalid_response` if the stream ends before the stop reason.
 */
export async function* streamedChunks(
  stream: ByteStream,
  context: () => FailureContext,
): AsyncGenerator<ChatCompletionChunk> {
  const reducer = new AnswerReducer();
  const events = streamedEvents(stream, context);
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      yield* reducer.reduce(next.value);
      if (next.value["type"] !== "message_stop") continue;
      await waitForEnd(events);
      break;
    }
  } catch (cause) {
    if (!reducer.finished || !isInvalid(cause)) throw cause;
  } finally {
    stream.cancel();
  }
  if (!reducer.finished) throw invalidAnswer(context(), "a stream that was cut off");
  yield* reducer.end();
}

/** Once the answer is complete, a stream that is cut off is not a failure. */
const isInvalid = (cause: unknown): boolean => ProviderError.is(cause) && cause.failure === "invalid_response";

/** Waits a limited time for the end of the stream, because a connection can only be reused after a complete response. */
function waitForEnd(events: AsyncGenerator<JsonObject>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, streamEndTimeoutMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    events.next().then(finish, finish);
  });
}

/**
 * Maps the events of one answer, in order, to chunks. Unknown types of events and blocks are ignored, as the API
 * requires of its clients.
 * Follows https://platform.claude.com/docs/en/build-with-claude/streaming and
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
class AnswerReducer {
  /** By the index of its block: the position of a call, and whether some of its arguments were emitted. */
  readonly #calls = new Map<unknown, { readonly position: number; hasArguments: boolean }>();
  #head: Pick<ChatCompletionChunk, "id" | "model"> = {};
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
    const args = isPlainObject(input) && Object.keys(input).length > 0 ? writeLosslessJson(input) : "";
    const call = { position: this.#callCount, hasArguments: args !== "" };
    this.#callCount += 1;
    this.#calls.set(index, call);
    return [this.#callChunk({ index: call.position, id, type: "function", function: { name, arguments: args } })];
  }

  #extendBlock(index: unknown, delta: JsonObject): ChatCompletionChunk[] {
    if (delta["type"] === "text_delta") return this.#text("content", delta["text"]);
    if (delta["type"] === "thinking_delta") return this.#text("reasoning_content", delta["thinking"]);
    const call = this.#calls.get(index);
    const piece = delta["partial_json"];
    if (delta["type"] !== "input_json_delta" || call === undefined || typeof piece !== "string") return [];
    if (piece === "") return [];
    call.hasArguments = true;
    return [this.#callChunk({ index: call.position, function: { arguments: piece } })];
  }

  /** The API sends no delta for a call without arguments, but clients expect JSON. */
  #closeBlock(index: unknown): ChatCompletionChunk[] {
    const call = this.#calls.get(index);
    if (call === undefined || call.hasArguments) return [];
    return [this.#callChunk({ index: call.position, function: { arguments: "{}" } })];
  }

  #finish({ stop_reason: reason, stop_details: details }: JsonObject, usage: unknown): ChatCompletionChunk[] {
    this.#usage = laterMessagesUsage(this.#usage, usage);
    if (typeof reason !== "string" || this.#finished) return [];
    this.#finished = true;
    const explanation = reason === "refusal" && isPlainObject(details) ? details["explanation"] : undefined;
    const delta = typeof explanation === "string" ? { refusal: explanation } : {};
    return [{ ...this.#envelope(), choices: [{ index: 0, delta, finish_reason: finishReasonOf(reason) }] }];
  }

  #text(member: "content" | "reasoning_content", text: unknown): ChatCompletionChunk[] {
    return typeof text === "string" && text !== "" ? [this.#chunk({ [member]: text })] : [];
  }

  #callChunk(piece: ToolCallDelta): ChatCompletionChunk {
    return this.#chunk({ tool_calls: [piece] });
  }

  #chunk(delta: ChatCompletionDelta): ChatCompletionChunk {
    return { ...this.#envelope(), choices: [{ index: 0, delta, finish_reason: null }] };
  }

  #envelope() {
    return { ...this.#head, object: "chat.completion.chunk" };
  }
}

const objectOf = (value: unknown): JsonObject => (isPlainObject(value) ? value : {});
