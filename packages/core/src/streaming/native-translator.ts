import type { GatewayError } from "../errors/gateway-error.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { classifyErrorPayload, type FailureContext } from "../failures/failure.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { encodeUtf8, joinBytes } from "../wire/bytes.ts";
import { toldIn } from "../wire/impossible-usage.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../wire/json.ts";
import { isWhole, type PartialUsage, type ReportedUsage, type Usage } from "../wire/usage.ts";
import type { AnswerTranslator } from "./answer-translator.ts";
import { EventScanner, readEvent, type ScannedEvent, type ServerSentEvent } from "./event-scanner.ts";
import type { NativeEvent, NativeReader } from "./native-reader.ts";

/** The options of a {@link NativeTranslator}. */
export interface NativeTranslatorOptions {
  /** The maximum size of an event in bytes. Default: 16,777,216. */
  readonly maxEventBytes?: number;
  /** Returns the context of the upstream. Called when the upstream reports an error. */
  failureContext(): FailureContext;
}

/**
 * Forwards the stream of an upstream that speaks the dialect of the client. Events that its reader knows by their bytes are
 * forwarded without parsing; the reader decides about all others.
 */
export class NativeTranslator implements AnswerTranslator {
  readonly #reader: NativeReader;
  readonly #options: NativeTranslatorOptions;
  readonly #scanner: EventScanner;
  readonly #forwarded = new ForwardedBytes();
  #started = false;
  #isComplete = false;
  #done = false;
  #closed = false;
  #failure: ProviderError | undefined;
  #usage: Usage | undefined;
  #reported: ReportedUsage | undefined;
  #outputBytes = 0;
  #hidesReasoning = false;
  #frames = 0;

  constructor(reader: NativeReader, options: NativeTranslatorOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#scanner = new EventScanner(options.maxEventBytes ?? 16_777_216);
  }

  get started(): boolean {
    return this.#started;
  }

  get complete(): boolean {
    return this.#failure === undefined && this.#isComplete;
  }

  /** An answer in these dialects has one choice. */
  hasAllChoices(): boolean {
    return this.complete;
  }

  get done(): boolean {
    return this.#done;
  }

  get ended(): boolean {
    return this.#done || this.#closed || this.#failure !== undefined;
  }

  get failure(): ProviderError | undefined {
    return this.#failure;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get reported(): ReportedUsage | undefined {
    return this.#reported;
  }

  get outputBytes(): number {
    return this.#outputBytes;
  }

  get hidesReasoning(): boolean {
    return this.#hidesReasoning;
  }

  get frames(): number {
    return this.#frames;
  }

  translate(chunk: Uint8Array): Uint8Array | undefined {
    for (let position = 0; position < chunk.length && !this.ended; ) {
      const end = this.#forwardDelta(chunk, this.#scanner.eventStart(chunk, position));
      if (end > 0) {
        position = end;
        continue;
      }
      const event = this.#scanner.scan(chunk, position);
      if (event === undefined) break;
      this.#take(event, event.bytes === chunk);
      position = event.next;
    }
    if (this.#scanner.overflowed) this.#fail("The upstream sent an event that is longer than the limit.");
    return this.#forwarded.take();
  }

  translateChunk(): undefined {
    this.#fail("The provider sent a chunk of a chat completion, although it was called in another dialect.");
  }

  end(): Uint8Array | undefined {
    const last = this.ended ? undefined : this.#scanner.flush();
    // The last event may be truncated, which is not a failure if the answer is complete without it.
    const { complete } = this;
    if (last !== undefined) this.#take(last, false);
    if (complete && this.#failure?.failure === "invalid_response") this.#failure = undefined;
    if (!this.complete) this.#fail("The upstream closed the stream before it had finished its answer.");
    this.#closed = true;
    return this.#forwarded.take();
  }

  finish(charged: Usage): Awaitable<Uint8Array> {
    return this.#reader.finish(charged);
  }

  fail(error: GatewayError): Uint8Array {
    return this.#reader.fail(error);
  }

  /** Forwards the event at `start` if its reader knows it as a delta. Returns its end, or -1 if it must be scanned. */
  #forwardDelta(chunk: Uint8Array, start: number): number {
    const end = start < 0 ? -1 : endOfTwoLines(chunk, start);
    const textBytes = end < 0 ? -1 : this.#reader.deltaBytes(chunk, start, end);
    if (textBytes < 0) return -1;
    this.#scanner.skipEvent(lineFeed);
    this.#count(textBytes, true);
    this.#forwarded.add(chunk, start, end, true);
    return end;
  }

  /** `isStable` is false for bytes that the scanner overwrites. */
  #take({ bytes, start, end }: ScannedEvent, isStable: boolean): void {
    const textBytes = this.#reader.deltaBytes(bytes, start, end);
    if (textBytes >= 0) {
      this.#count(textBytes, true);
      this.#forwarded.add(bytes, start, end, isStable);
      return;
    }
    const event = readEvent(bytes, start, end);
    if (event === undefined) return;
    const data = tryParseJson(event.data);
    if (!isJsonObject(data)) {
      this.#fail("The upstream sent an event whose data is not a JSON object.");
      return;
    }
    const read = this.#reader.read(data, event.name === "" ? undefined : event.name);
    this.#apply(read);
    if (this.#failure !== undefined) return;
    if (read.frame === "unchanged") this.#forwarded.add(bytes, start, end, isStable);
    else if (read.frame !== "withheld") this.#write(event, read.frame);
  }

  #apply({ textBytes, hidesReasoning, isSubstantive, usage, isComplete, isLast, error }: NativeEvent): void {
    if (error !== undefined) {
      this.#failure = classifyErrorPayload(error, undefined, this.#options.failureContext());
      return;
    }
    this.#count(textBytes, isSubstantive);
    if (hidesReasoning === true) this.#hidesReasoning = true;
    if (usage !== undefined) this.#takeUsage(usage);
    if (isComplete === true) this.#isComplete = true;
    if (isLast === true) this.#done = true;
  }

  #count(textBytes: number, isSubstantive: boolean): void {
    this.#frames += 1;
    this.#outputBytes += textBytes;
    if (isSubstantive) this.#started = true;
  }

  /** A partial usage never replaces a complete one. */
  #takeUsage(usage: Usage | PartialUsage): void {
    // What was told before a usage that cannot be true may be no more than a part.
    if (toldIn(usage) !== undefined) this.#usage = undefined;
    if (isWhole(usage)) this.#usage = usage;
    else if (this.#usage !== undefined) return;
    this.#reported = { usage, outputBytes: this.#outputBytes };
  }

  #write({ name }: ServerSentEvent, data: JsonObject): void {
    try {
      this.#forwarded.push(encodeEvent(name, data));
    } catch (cause) {
      // JSON.stringify throws for values that are nested too deeply.
      this.#fail("The upstream sent an event that cannot be written as JSON.", cause);
    }
  }

  #fail(message: string, cause?: unknown): void {
    this.#failure ??= new ProviderError("invalid_response", message, { cause });
  }
}

const lineFeed = 0x0a;

/** Returns the end of an event of two lines and a blank one, as upstreams write a name and its data; -1 for any other. */
function endOfTwoLines(bytes: Uint8Array, start: number): number {
  const name = bytes.indexOf(lineFeed, start);
  const data = name < 0 ? -1 : bytes.indexOf(lineFeed, name + 1);
  return data >= 0 && bytes[data + 1] === lineFeed ? data + 2 : -1;
}

/** Encodes an event. The name is left out if it is empty. Throws if JSON.stringify throws. */
export const encodeEvent = (name: string, data: JsonObject): Uint8Array =>
  encodeUtf8(`${name === "" ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);

/** Collects the bytes that one chunk yields. Neighbouring events of a chunk stay one range, so that they are not copied. */
class ForwardedBytes {
  #parts: Uint8Array[] = [];
  #bytes: Uint8Array | undefined;
  #start = 0;
  #end = 0;

  add(bytes: Uint8Array, start: number, end: number, isStable: boolean): void {
    if (!isStable) this.push(bytes.slice(start, end));
    else if (this.#bytes === bytes && this.#end === start) this.#end = end;
    else {
      this.#close();
      this.#bytes = bytes;
      this.#start = start;
      this.#end = end;
    }
  }

  push(bytes: Uint8Array): void {
    this.#close();
    this.#parts.push(bytes);
  }

  take(): Uint8Array | undefined {
    this.#close();
    if (this.#parts.length === 0) return undefined;
    const joined = joinBytes(this.#parts);
    this.#parts = [];
    return joined;
  }

  #close(): void {
    const bytes = this.#bytes;
    if (bytes === undefined) return;
    this.#parts.push(this.#start === 0 && this.#end === bytes.length ? bytes : bytes.subarray(this.#start, this.#end));
    this.#bytes = undefined;
  }
}
