import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { NativeRequest } from "../../../request/native-request.ts";
import { isFilled } from "../../../upstream/frame-reports.ts";
import type { NativeEvent, NativeReader } from "../../../upstream/native-reader.ts";
import type { SecretSearch } from "../../../upstream/secret-search.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { bytesOfOutput, outputText, readOutput } from "../../../wire/output-text.ts";
import { isComplete, type Usage } from "../../../wire/usage.ts";
import { type EventNumbers, responseDeltaBytes } from "../../delta-bytes.ts";
import { responseEvents } from "../../known-members.ts";
import { toResponseUsage } from "../answer/response-object.ts";
import { answered, encodeResponseEvent, responseError } from "../answer/stream-encoder.ts";
import { type PublicAnswer, readResponseUsage, responseId, responseReasons } from "./read-native.ts";

/** The types of events that end an answer. */
const endings: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete"]);

/** Reads the stream of an upstream that speaks the Responses API. */
export class ResponsesReader implements NativeReader {
  readonly types = responseEvents;
  readonly #answer: Pick<PublicAnswer, "event">;
  readonly #onAnswer: NativeRequest["onAnswer"];
  /** What a failed answer looks like before the upstream has sent its response. */
  readonly #unknown: () => JsonObject;
  #response: JsonObject | undefined;
  #ending: { readonly type: string; readonly usage: Usage | undefined } | undefined;
  readonly #numbers: EventNumbers = { next: 0 };
  readonly #output: CountedOutput;

  /** `imageTokens` are the least that an image of the answer counts. */
  constructor(
    answer: Pick<PublicAnswer, "event">,
    unknown: () => JsonObject,
    onAnswer: NativeRequest["onAnswer"],
    imageTokens?: number,
  ) {
    this.#output = new CountedOutput(imageTokens);
    this.#answer = answer;
    this.#unknown = unknown;
    this.#onAnswer = onAnswer;
  }

  get answerId(): string | undefined {
    return responseId(this.#response);
  }

  get finishReasons(): readonly string[] {
    return this.#ending === undefined ? [] : responseReasons(this.#response);
  }

  deltaBytes(bytes: Uint8Array, start: number, end: number, output: SecretSearch): number {
    const length = responseDeltaBytes(bytes, start, end, output, this.#numbers);
    return length < 0 ? length : this.#output.add(length);
  }

  read(data: JsonObject): NativeEvent {
    const { type, response, sequence_number: number } = data;
    const failure = failureOf(data);
    // The client gets `response.failed` in its place, with its number.
    if (failure !== undefined) return { ...nothing, error: failure };
    this.#numbers.next = (typeof number === "number" ? number : this.#numbers.next) + 1;
    const shown = this.#answer.event(data);
    if (isJsonObject(response) && isJsonObject(shown?.["response"])) this.#response = shown["response"];
    if (endings.has(type) && isJsonObject(response)) return this.#end(String(type), response);
    const { bytes, hasHiddenReasoning } = this.#output.take(data);
    const isSubstantive = bytes > 0 || (typeof type === "string" && isWork(type));
    return {
      frame: shown ?? "unchanged",
      text: textOfEvent(data),
      textBytes: bytes,
      hasHiddenReasoning,
      isSubstantive,
    };
  }

  async finish(charged: Usage): Promise<Uint8Array> {
    const { type, usage } = this.#ending ?? { type: "response.completed", usage: undefined };
    const response = this.#response ?? this.#unknown();
    const isSame =
      usage?.prompt_tokens === charged.prompt_tokens && usage.completion_tokens === charged.completion_tokens;
    const json = JSON.stringify(isSame ? response : { ...response, usage: toResponseUsage(charged) });
    // Its own number was the last one.
    return encodeResponseEvent(type, this.#numbers.next - 1, await answered(json, this.#onAnswer));
  }

  fail(error: GatewayError): Uint8Array {
    const response = { ...(this.#response ?? this.#unknown()), status: "failed", error: responseError(error) };
    return encodeResponseEvent("response.failed", this.#numbers.next, JSON.stringify(response));
  }

  #end(type: string, response: JsonObject): NativeEvent {
    const usage = readResponseUsage(response["usage"]);
    if (!isWritable(response))
      return { ...nothing, error: "The upstream sent a response that cannot be written as JSON." };
    this.#ending = { type, usage: isComplete(usage) ? usage : undefined };
    const { bytes } = this.#output.take({ response });
    return { frame: "withheld", textBytes: bytes, isSubstantive: true, usage, isComplete: true, isLast: true };
  }
}

const nothing = { frame: "withheld", textBytes: 0, isSubstantive: false } as const;

/** Returns the error of a response that failed or was cancelled, whatever the name of its event. */
function failureOf({ type, response }: JsonObject): unknown {
  const { error, status } = isJsonObject(response) ? response : {};
  const hasFailed = type === "response.failed" || type === "response.cancelled";
  if (!hasFailed && !isFilled(error) && status !== "failed" && status !== "cancelled") return undefined;
  return error ?? "The upstream ended the response without an error.";
}

/** JSON.stringify throws for values that are nested too deeply. */
function isWritable(response: JsonObject): boolean {
  try {
    return JSON.stringify(response) !== "";
  } catch {
    return false;
  }
}

/** True for the events of a tool that the upstream runs. */
const isWork = (type: string): boolean => type.endsWith("_call.in_progress");

/** Returns the output text that an event of a stream adds. Events of whole parts and items repeat what came before. */
export function textOfEvent(event: JsonObject): string {
  const { type, item } = event;
  if (typeof type !== "string") return "";
  if (type.endsWith(".delta")) return outputText({ delta: event["delta"] });
  return type === "response.output_item.added" && isJsonObject(item) ? outputText(item) : "";
}

/**
 * Counts the output in the events of one response. Events repeat what came before: parts, items and the response are sent
 * whole when they are done. Some upstreams send them only then, so of those counts what exceeds the pieces.
 */
export class CountedOutput {
  readonly #imageTokens: number | undefined;
  #part = 0;
  #item = 0;
  #all = 0;

  /** `imageTokens` are the least that an image counts. */
  constructor(imageTokens: number | undefined) {
    this.#imageTokens = imageTokens;
  }

  /** Counts bytes of output that no event before has brought. */
  add(bytes: number): number {
    this.#part += bytes;
    this.#item += bytes;
    this.#all += bytes;
    return bytes;
  }

  /** Counts what an event adds to the output that the events before it have brought. */
  take(event: JsonObject) {
    const { type, response, item, part } = event;
    if (isJsonObject(response)) return this.#take({ content: response["output"] }, this.#all);
    if (typeof type !== "string") return noOutput;
    const isDone = type.endsWith(".done");
    if (isJsonObject(item)) {
      if (!isDone) this.#item = this.#part = 0;
      return this.#take(item, isDone ? this.#item : 0);
    }
    if (isJsonObject(part)) {
      if (!isDone) this.#part = 0;
      return this.#take(part, isDone ? this.#part : 0);
    }
    return this.#take(event, isDone ? this.#part : 0);
  }

  #take(written: JsonObject, counted: number) {
    const output = readOutput(written);
    const bytes = this.add(Math.max(0, bytesOfOutput(output, this.#imageTokens) - counted));
    return { bytes, hasHiddenReasoning: output.hasHiddenReasoning };
  }
}

const noOutput = { bytes: 0, hasHiddenReasoning: false };
