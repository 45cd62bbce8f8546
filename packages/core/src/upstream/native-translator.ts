import type { GatewayError } from "../errors/gateway-error.ts";
import { ProviderError } from "../errors/provider-error.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { encodeUtf8, joinBytes } from "../wire/bytes.ts";
import { shortcuts } from "../wire/forwarding/shortcuts.ts";
import { isJsonObject, isText, type JsonObject, tryParseJson } from "../wire/json.ts";
import type { Usage } from "../wire/usage.ts";
import type { AnswerGuard } from "./answer-guard.ts";
import { AnswerTranslator } from "./answer-translator.ts";
import { EventScanner, maxEventBytes, readEvent, type ScannedEvent, type ServerSentEvent } from "./event-scanner.ts";
import { classifyErrorPayload, type FailureContext } from "./failure.ts";
import { isErrorEvent } from "./frame-reports.ts";
import type { NativeEvent, NativeReader } from "./native-reader.ts";

/** The options of a {@link NativeTranslator}. */
interface NativeTranslatorOptions {
  /** The maximum size of an event in bytes. Default: 16,777,216. */
  readonly maxEventBytes?: number;
  /** Returns the context of the upstream. Called when the upstream reports an error. */
  failureContext(): FailureContext;
  /** Returns the guard of the answer. Called once, when the upstream has begun to answer. */
  guard(): AnswerGuard;
  /** Receives each type of events that the dialect does not have, and that are left out. */
  onUnknownEvent(type: string): void;
}

/**
 * Forwards the stream of an upstream that speaks the dialect of the client. Events that its reader knows by their bytes are
 * forwarded without parsing; the reader decides about all others.
 */
export class NativeTranslator extends AnswerTranslator {
  readonly #reader: NativeReader;
  readonly #options: NativeTranslatorOptions;
  readonly #maxEventBytes: number;
  readonly #scanner: EventScanner;
  readonly #forwarded = new ForwardedBytes();
  #guard: AnswerGuard | undefined;
  #unknownTypes: Set<string> | undefined;
  #isComplete = false;
  hasHiddenReasoning = false;

  constructor(reader: NativeReader, options: NativeTranslatorOptions) {
    super();
    this.#reader = reader;
    this.#options = options;
    this.#maxEventBytes = options.maxEventBytes ?? maxEventBytes;
    this.#scanner = new EventScanner(this.#maxEventBytes);
  }

  get complete(): boolean {
    return this.failure === undefined && this.#isComplete;
  }

  /** An answer in these dialects has one choice. */
  hasAllChoices(): boolean {
    return this.complete;
  }

  get answerId(): string | undefined {
    return this.#reader.answerId;
  }

  get finishReasons(): readonly string[] {
    return this.#reader.finishReasons;
  }

  translate(chunk: Uint8Array): Uint8Array | undefined {
    const guard = this.#usedGuard();
    for (let position = 0; position < chunk.length && !this.ended; ) {
      const end = this.#forwardDelta(chunk, this.#scanner.eventStart(chunk, position), guard);
      if (end > 0) {
        position = end;
        continue;
      }
      const event = this.#scanner.scan(chunk, position);
      if (event === undefined) break;
      this.#take(event, event.bytes === chunk, guard);
      position = event.next;
    }
    if (this.#scanner.overflowed) this.invalidate("The upstream sent an event that is longer than the limit.");
    return this.#forwarded.take();
  }

  translateChunk(): undefined {
    this.invalidate("The provider sent a chunk of a chat completion, although it was called in another dialect.");
  }

  end(): Uint8Array | undefined {
    const last = this.ended ? undefined : this.#scanner.flush();
    // The last event may be truncated, which is not a failure if the answer is complete without it.
    const { complete } = this;
    if (last !== undefined) this.#take(last, false, this.#usedGuard());
    if (complete && this.failure?.failure === "invalid_response") this.failure = undefined;
    if (!this.complete) this.invalidate("The upstream closed the stream before it had finished its answer.");
    this.isClosed = true;
    return this.#forwarded.take();
  }

  finish(charged: Usage): Awaitable<Uint8Array> {
    return this.#reader.finish(charged);
  }

  fail(error: GatewayError): Uint8Array {
    return this.#reader.fail(error);
  }

  #usedGuard(): AnswerGuard {
    this.#guard ??= this.#options.guard();
    return this.#guard;
  }

  /** Forwards the event at `start` if its reader knows it as a delta. Returns its end, or -1 if it must be scanned. */
  #forwardDelta(chunk: Uint8Array, start: number, guard: AnswerGuard): number {
    const end = start < 0 ? -1 : endOfTwoLines(chunk, start);
    if (end < 0 || end - start > this.#maxEventBytes || !this.#takeDelta(chunk, start, end, true, guard)) return -1;
    this.#scanner.skipEvent(lineFeed);
    return end;
  }

  /** Forwards an event if its reader knows it as a delta. `isStable` is false for bytes that the scanner overwrites. */
  #takeDelta(bytes: Uint8Array, start: number, end: number, isStable: boolean, guard: AnswerGuard): boolean {
    if (shortcuts.reference !== undefined) return false;
    const textBytes = this.#reader.deltaBytes(bytes, start, end, guard.output);
    if (textBytes < 0) return false;
    if (guard.output.found) this.failure ??= guard.leak();
    else {
      this.#count(textBytes, true);
      this.#forwarded.add(bytes, start, end, isStable);
    }
    return true;
  }

  #take({ bytes, start, end }: ScannedEvent, isStable: boolean, guard: AnswerGuard): void {
    if (this.#takeDelta(bytes, start, end, isStable, guard)) return;
    const event = readEvent(bytes, start, end);
    const text = event?.data.trim() ?? "";
    if (event === undefined || text === "" || text === "[DONE]") return;
    const data = tryParseJson(text);
    if (!isJsonObject(data)) {
      this.invalidate("The upstream sent an event whose data is not a JSON object.");
      return;
    }
    const known = this.#knownData(event, data, guard);
    if (known === undefined) return;
    const read = this.#reader.read(known, event.name === "" ? undefined : event.name);
    this.#apply(read, guard);
    if (this.failure !== undefined || read.frame === "withheld") return;
    // Clients of these dialects dispatch by the name of an event, which some upstreams leave out. It is the type of its data.
    const name = event.name === "" ? String(data["type"]) : event.name;
    if (read.frame !== "unchanged") this.#write(name, read.frame);
    else if (known !== data) this.#write(name, known);
    else if (event.name === name) this.#forwarded.add(bytes, start, end, isStable);
    else this.#forwarded.push(encodeText(name, event.data.replaceAll("\n", "\ndata: ")));
  }

  /** Returns the data of an event of a known type as the client may see it. Undefined for any other event, and for an error. */
  #knownData({ name, data: json }: ServerSentEvent, data: JsonObject, guard: AnswerGuard): JsonObject | undefined {
    const type = isText(data["type"]) ? data["type"] : name;
    const isKnown = this.#reader.types.has(type);
    if (isErrorEvent(data, name, type, isKnown))
      this.failure = classifyErrorPayload(data, undefined, this.#options.failureContext());
    else if (type === "") this.invalidate("The upstream sent an event without a type.");
    else if (!isKnown) this.#leaveOut(type);
    else return this.#clean(json, data, guard);
    return undefined;
  }

  #clean(json: string, data: JsonObject, guard: AnswerGuard): JsonObject | undefined {
    try {
      return guard.suspects(json) ? guard.clean(data) : data;
    } catch (cause) {
      // JSON.stringify throws for values that are nested too deeply.
      if (ProviderError.is(cause)) this.failure = cause;
      else this.invalidate("The upstream sent an event that cannot be written as JSON.", cause);
      return undefined;
    }
  }

  #leaveOut(type: string): void {
    this.#unknownTypes ??= new Set();
    if (this.#unknownTypes.size >= maxUnknownTypes || this.#unknownTypes.has(type)) return;
    this.#unknownTypes.add(type);
    this.#options.onUnknownEvent(type.slice(0, 64).replace(/[^\w.:-]/g, "?"));
  }

  #apply(event: NativeEvent, guard: AnswerGuard): void {
    const { textBytes, text, hasHiddenReasoning, isSubstantive, usage, isComplete, isLast, error } = event;
    if (text !== undefined) guard.output.addText(text);
    if (guard.output.found) {
      this.failure = guard.leak();
      return;
    }
    if (error !== undefined) {
      this.failure = classifyErrorPayload(error, undefined, this.#options.failureContext());
      return;
    }
    this.#count(textBytes, isSubstantive);
    if (hasHiddenReasoning === true) this.hasHiddenReasoning = true;
    if (usage !== undefined) this.takeUsage(usage, this.outputBytes);
    if (isComplete === true) this.#isComplete = true;
    if (isLast === true) this.done = true;
  }

  #count(textBytes: number, isSubstantive: boolean): void {
    this.frames += 1;
    this.outputBytes += textBytes;
    if (isSubstantive) this.started = true;
  }

  #write(name: string, data: JsonObject): void {
    try {
      this.#forwarded.push(encodeEvent(name, data));
    } catch (cause) {
      // JSON.stringify throws for values that are nested too deeply.
      this.invalidate("The upstream sent an event that cannot be written as JSON.", cause);
    }
  }
}

const lineFeed = 0x0a;
/** How many types of one stream are reported. */
const maxUnknownTypes = 20;

/** Returns the end of an event of two lines and a blank one, as upstreams write a name and its data; -1 for any other. */
function endOfTwoLines(bytes: Uint8Array, start: number): number {
  const name = bytes.indexOf(lineFeed, start);
  const data = name < 0 ? -1 : bytes.indexOf(lineFeed, name + 1);
  return data >= 0 && bytes[data + 1] === lineFeed ? data + 2 : -1;
}

/** Encodes an event. The name is left out if it is empty. Throws if JSON.stringify throws. */
export const encodeEvent = (name: string, data: JsonObject): Uint8Array => encodeText(name, JSON.stringify(data));

const encodeText = (name: string, data: string): Uint8Array =>
  encodeUtf8(`${name === "" ? "" : `event: ${name}\n`}data: ${data}\n\n`);

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
