import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { NativeEvent, NativeReader } from "../../../upstream/native-reader.ts";
import { encodeEvent } from "../../../upstream/native-translator.ts";
import type { SecretSearch } from "../../../upstream/secret-search.ts";
import { joinBytes } from "../../../wire/bytes.ts";
import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";
import { laterMessagesUsage, toMessagesUsage } from "../../../wire/messages-usage.ts";
import { bytesOfOutput, readOutput } from "../../../wire/output-text.ts";
import type { Usage } from "../../../wire/usage.ts";
import { messageDeltaBytes } from "../../delta-bytes.ts";
import { messageEvents } from "../../known-members.ts";
import { messagesErrorBody } from "../answer/messages-errors.ts";
import { readMessagesUsage } from "./read-native-message.ts";

const plain: NativeEvent = { frame: "unchanged", textBytes: 0, isSubstantive: false };
const noReasons: readonly string[] = [];
const stopEvent = encodeEvent("message_stop", { type: "message_stop" });

/**
 * Reads the stream of an upstream that speaks the Messages API. The event with the stop reason is withheld too, since it
 * has the usage, which may not be the one that is charged.
 * Follows https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class MessageEventReader implements NativeReader {
  readonly types = messageEvents;
  readonly #model: string;
  readonly #requestId: string;
  readonly #imageTokens: number | undefined;
  /** The bytes of thoughts since the start of a block of them; undefined outside of one. */
  #thoughts: number | undefined;
  #reported: JsonObject = {};
  #usage: ReturnType<typeof readMessagesUsage>;
  #last: JsonObject | undefined;
  answerId: string | undefined;
  finishReasons: readonly string[] = noReasons;

  /** `model` is the public model id, and `imageTokens` the least that an image of the answer counts. */
  constructor(model: string, requestId: string, imageTokens?: number) {
    this.#model = model;
    this.#requestId = requestId;
    this.#imageTokens = imageTokens;
  }

  deltaBytes(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
    const length = messageDeltaBytes(bytes, start, end, output);
    if (length > 0 && this.#thoughts !== undefined) this.#thoughts += length;
    return length;
  }

  read(data: JsonObject, name: string | undefined): NativeEvent {
    const type = data["type"] ?? name;
    switch (type) {
      case "message_start":
        return this.#begin(data);
      case "content_block_start":
      case "content_block_delta":
        return this.#content(data);
      case "content_block_stop":
        return this.#endBlock();
      case "message_delta":
        return this.#end(data);
      case "message_stop":
        return { ...plain, frame: "withheld", isLast: true };
      default:
        return plain;
    }
  }

  finish(charged: Usage): Uint8Array {
    const last = this.#last ?? { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null } };
    const isCharged = charged === this.#usage;
    const { cache_creation: _, ...usage } = toMessagesUsage(charged);
    const delta = isCharged ? last : { ...last, usage };
    return joinBytes([encodeEvent("message_delta", delta), stopEvent]);
  }

  fail(error: GatewayError): Uint8Array {
    return encodeEvent("error", messagesErrorBody(error, this.#requestId));
  }

  #begin(data: JsonObject): NativeEvent {
    const message = isJsonObject(data["message"]) ? data["message"] : {};
    this.answerId = isText(message["id"]) ? message["id"] : undefined;
    return {
      ...plain,
      textBytes: bytesOfOutput(readOutput({ content: message["content"] }), this.#imageTokens),
      frame: { ...data, message: { ...message, model: this.#model } },
      usage: this.#take(message["usage"]),
    };
  }

  #content(data: JsonObject): NativeEvent {
    const { delta, content_block: block } = data;
    const output = readOutput([delta, block].find(isJsonObject) ?? {});
    const textBytes = bytesOfOutput(output, this.#imageTokens);
    if (isJsonObject(block)) this.#thoughts = block["type"] === "thinking" ? 0 : undefined;
    if (this.#thoughts !== undefined) this.#thoughts += textBytes;
    const isCall = isJsonObject(block) && block["type"] !== "text" && block["type"] !== "thinking";
    const isSubstantive = textBytes > 0 || isJsonObject(delta) || isCall;
    return {
      ...plain,
      text: output.texts.join(""),
      textBytes,
      hasHiddenReasoning: output.hasHiddenReasoning,
      isSubstantive,
    };
  }

  /** Thoughts with `display: "omitted"`, the default of some models, are a block with only a signature. */
  #endBlock(): NativeEvent {
    const hasHiddenReasoning = this.#thoughts === 0;
    this.#thoughts = undefined;
    return { ...plain, hasHiddenReasoning };
  }

  #end(data: JsonObject): NativeEvent {
    const usage = this.#take(data["usage"]);
    const { delta } = data;
    if (!isJsonObject(delta) || typeof delta["stop_reason"] !== "string") return { ...plain, usage };
    this.#last = data;
    this.finishReasons = [delta["stop_reason"]];
    return { ...plain, frame: "withheld", isSubstantive: true, usage, isComplete: true };
  }

  /** Counts are cumulative, and those of the input may come only with the first event. */
  #take(usage: unknown): ReturnType<typeof readMessagesUsage> {
    this.#reported = laterMessagesUsage(this.#reported, usage);
    this.#usage = readMessagesUsage(this.#reported);
    return this.#usage;
  }
}
