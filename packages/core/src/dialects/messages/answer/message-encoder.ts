import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ChunkEncoder } from "../../../upstream/answer-translator.ts";
import { encodeEvent } from "../../../upstream/native-translator.ts";
import { joinBytes } from "../../../wire/bytes.ts";
import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";
import { messageTexts } from "../../../wire/message-texts.ts";
import { toMessagesUsage } from "../../../wire/messages-usage.ts";
import type { Usage } from "../../../wire/usage.ts";
import { toMessagesCallId } from "../request/call-ids.ts";
import { BlockQueue, type StreamEvent } from "./block-queue.ts";
import { messagesErrorBody } from "./messages-errors.ts";
import { toStop } from "./to-message.ts";

/** What a stream needs beside its chunks. */
export interface MessageStreamIdentity {
  readonly id: string;
  readonly requestId: string;
  /** The public model id. */
  readonly model: string;
  /** The estimated tokens of the prompt, which the last event corrects. */
  readonly inputTokens: number;
  /** The stop sequences of the request. */
  readonly sequences: readonly string[];
}

/**
 * Writes the chunks of a chat completion as events of the Messages API: `message_start`, the blocks one after another,
 * `message_delta` with the usage, and `message_stop`.
 * Follows https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class MessageEncoder implements ChunkEncoder {
  readonly forwardsChunks = false;
  readonly #identity: MessageStreamIdentity;
  readonly #blocks = new BlockQueue();
  #hasStarted = false;
  #hasCalls = false;
  #hasRefused = false;
  #finishReason: unknown;
  #stopReason: unknown;

  constructor(identity: MessageStreamIdentity) {
    this.#identity = identity;
  }

  get answerId(): string {
    return this.#identity.id;
  }

  encode({ choices }: JsonObject): Uint8Array | undefined {
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isJsonObject(choice)) return undefined;
    const events = [...this.#start(), ...this.#contentOf(isJsonObject(choice["delta"]) ? choice["delta"] : {})];
    if (isText(choice["finish_reason"])) this.#finishReason = choice["finish_reason"];
    this.#stopReason = choice["stop_reason"] ?? this.#stopReason;
    return events.length === 0 ? undefined : encodeAll(events);
  }

  finish(charged: Usage): Uint8Array {
    const delta = toStop({
      finishReason: this.#finishReason,
      stopReason: this.#stopReason,
      sequences: this.#identity.sequences,
      hasCalls: this.#hasCalls,
      hasRefused: this.#hasRefused,
    });
    return encodeAll([
      ...this.#start(),
      ...this.#blocks.close(),
      { type: "message_delta", delta, usage: toMessagesUsage(charged) },
      { type: "message_stop" },
    ]);
  }

  fail(error: GatewayError): Uint8Array {
    return encodeAll([messagesErrorBody(error, this.#identity.requestId)]);
  }

  #start(): readonly StreamEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const { id, model, inputTokens } = this.#identity;
    const usage = toMessagesUsage({ prompt_tokens: inputTokens, completion_tokens: 0, total_tokens: inputTokens });
    const empty = { role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
    return [{ type: "message_start", message: { id, type: "message", ...empty, usage } }];
  }

  #contentOf(delta: JsonObject): readonly StreamEvent[] {
    const { reasoning, text, refusal } = messageTexts(delta);
    const calls: readonly unknown[] = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : [];
    this.#hasRefused ||= refusal !== "";
    return [
      ...(reasoning === "" ? [] : this.#blocks.addText("thinking", reasoning)),
      ...(text + refusal === "" ? [] : this.#blocks.addText("text", text + refusal)),
      ...calls.filter(isJsonObject).flatMap((call) => this.#addCall(call)),
    ];
  }

  #addCall({ index, id, function: called }: JsonObject): readonly StreamEvent[] {
    if (typeof index !== "number" || !isJsonObject(called)) return [];
    this.#hasCalls = true;
    const { name, arguments: json } = called;
    return this.#blocks.addCall(
      index,
      isText(id) ? toMessagesCallId(id) : "",
      isText(name) ? name : "",
      isText(json) ? json : "",
    );
  }
}

const encodeAll = (events: readonly StreamEvent[]): Uint8Array =>
  joinBytes(events.map((event) => encodeEvent(event.type, event)));
