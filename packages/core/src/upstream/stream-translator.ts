import type { GatewayError } from "../errors/gateway-error.ts";
import { interrupted, type ProviderError } from "../errors/provider-error.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { type AnswerForm, standardUsage } from "../wire/answer-form.ts";
import { joinBytes } from "../wire/bytes.ts";
import type { AnswerIdentity, ChatCompletionChunk } from "../wire/chat-completion.ts";
import { isJsonObject, tryParseJson } from "../wire/json.ts";
import { readAnyUsage, type Usage } from "../wire/usage.ts";
import { AnswerTranslator, type ChunkEncoder } from "./answer-translator.ts";
import { ChunkNormalizer } from "./chunk-normalizer.ts";
import { EventScanner, maxEventBytes, readEvent, type ScannedEvent, type ServerSentEvent } from "./event-scanner.ts";
import { classifyErrorPayload, type FailureContext } from "./failure.ts";
import { nothingKnown, readReportedError, takeUsage } from "./frame-reports.ts";
import { FrameTemplates } from "./frame-templates.ts";
import { framesWithUsage } from "./frames.ts";

/** The options of a {@link StreamTranslator}. The id and the time are those of a stream whose upstream sends none. */
export interface TranslatorOptions extends AnswerIdentity {
  /** The least tokens that an image of the answer counts. */
  readonly imageTokens?: number;
  /** The maximum size of an event in bytes. Default: 16,777,216. */
  readonly maxLineBytes?: number;
  /** Returns the context of the upstream. Called when the upstream reports an error. */
  readonly failureContext?: () => FailureContext;
  /** Where the upstream's answers differ from OpenAI's. Absent: nowhere. */
  readonly answers?: AnswerForm | undefined;
  /** Writes the stream for the client. Default: as chat completion chunks, with a usage frame. */
  readonly encoder?: ChunkEncoder;
}

/**
 * Translates the stream of one upstream into frames for the client: bytes in, bytes out, without timers or promises.
 * Frames of a known shape use a template; all others are parsed and normalized. Invalid input never throws, but sets
 * `failure`. The usage frame, error frames and `[DONE]` are written only by `finish` and `fail`.
 */
export class StreamTranslator extends AnswerTranslator {
  readonly #normalizer: ChunkNormalizer;
  readonly #scanner: EventScanner;
  /** The frames translated from the current chunk so far. */
  #translated: Uint8Array[] = none;
  readonly #templates: FrameTemplates;
  readonly #failureContext: () => FailureContext;
  readonly #form: AnswerForm | undefined;
  readonly #encoder: ChunkEncoder;
  #usageFrameWasLast = false;

  constructor(options: TranslatorOptions) {
    super();
    const { model, id, created, failureContext = nothingKnown, encoder = framesWithUsage, answers } = options;
    this.#failureContext = failureContext;
    this.#encoder = encoder;
    this.#form = answers;
    this.#normalizer = new ChunkNormalizer({ model, id, created }, answers?.finishReasons, options.imageTokens);
    this.#scanner = new EventScanner(options.maxLineBytes ?? maxEventBytes);
    this.#templates = new FrameTemplates(this.#normalizer);
  }

  /** True when `[DONE]` may be sent: nothing failed, and every choice has its finish_reason or the upstream sent `[DONE]`. */
  get complete(): boolean {
    return this.failure === undefined && (this.done || this.#normalizer.finished);
  }

  hasAllChoices(choices: number): boolean {
    return this.complete && this.#normalizer.finishedChoices >= choices;
  }

  get hasHiddenReasoning(): boolean {
    return this.#normalizer.hasHiddenReasoning;
  }

  get answerId(): string | undefined {
    return this.started ? (this.#encoder.answerId ?? this.#normalizer.identity.id) : undefined;
  }

  get finishReasons(): readonly string[] {
    return this.#normalizer.finishReasons;
  }

  /** The public model id, and the id and time of the stream. */
  get identity(): AnswerIdentity {
    return this.#normalizer.identity;
  }

  translate(chunk: Uint8Array): Uint8Array | undefined {
    const { length } = chunk;
    for (let position = 0; position < length && !this.ended; ) {
      const start = this.#scanner.eventStart(chunk, position);
      const end = start < 0 ? -1 : this.#applyTemplate(chunk, start, length);
      if (end > 0) {
        this.#scanner.skipEvent(chunk[end - 1] ?? 0);
        position = end;
        continue;
      }
      const event = this.#scanner.scan(chunk, position);
      if (event === undefined) break;
      this.#takeEvent(event, event.bytes !== chunk);
      position = event.next;
    }
    if (this.#scanner.overflowed) this.invalidate("The upstream sent a line that is longer than the limit.");
    return this.#takeFrames();
  }

  translateChunk(chunk: ChatCompletionChunk): Uint8Array | undefined {
    if (!this.ended) this.#guard(() => this.#takeFrame(chunk));
    return this.#takeFrames();
  }

  end(): Uint8Array | undefined {
    const last = this.ended ? undefined : this.#scanner.flush();
    if (last !== undefined) this.#takeLastEvent(last);
    if (this.failure === undefined && (this.done || this.#usageFrameWasLast)) this.#finishChoices();
    if (this.failure === undefined && !this.complete) {
      this.invalidate("The upstream closed the stream before it had finished its answer.");
    }
    this.isClosed = true;
    return this.#takeFrames();
  }

  finish(charged: Usage): Awaitable<Uint8Array> {
    return this.#encoder.finish(charged, this.#normalizer.identity);
  }

  fail(error: GatewayError): Uint8Array {
    return this.#encoder.fail(error, this.#normalizer.identity);
  }

  /** Translates a frame that matches a template. Returns its end, or -1 if none matches. */
  #applyTemplate(bytes: Uint8Array, start: number, end: number): number {
    if (!this.#encoder.forwardsChunks) return -1;
    const matched = this.#templates.match(bytes, start, end);
    if (matched === undefined) return -1;
    this.#append(matched.translated);
    this.frames += 1;
    this.outputBytes += matched.textBytes;
    this.started = true;
    this.#usageFrameWasLast = false;
    return matched.end;
  }

  /** `tryTemplates` is true for an event that arrived in pieces, because no template has been tried on it. */
  #takeEvent(scanned: ScannedEvent, tryTemplates: boolean): void {
    const { bytes, start, end } = scanned;
    if (tryTemplates && this.#applyTemplate(bytes, start, end) === end) return;
    const event = readEvent(bytes, start, end);
    if (event !== undefined) this.#guard(() => this.#takeData(event, scanned));
  }

  /** The last event may be truncated, which is not a failure if every choice is finished. */
  #takeLastEvent(scanned: ScannedEvent): void {
    const { complete } = this;
    this.#takeEvent(scanned, false);
    if (complete && this.failure?.failure === "invalid_response") this.failure = undefined;
  }

  #takeData(event: ServerSentEvent, scanned: ScannedEvent): void {
    const data = event.data.trim();
    if (data === "") return;
    const value = tryParseJson(data);
    if (data === "[DONE]") this.#takeDone();
    else if (event.name === "error")
      this.failure = this.#readError(value) ?? classifyErrorPayload(value ?? data, undefined, this.#failureContext());
    else if (value === undefined) this.invalidate("The upstream sent a frame that is not JSON.");
    else if (this.#takeFrame(value) && this.#encoder.forwardsChunks && isJsonObject(value))
      this.#templates.learn(event, value, scanned);
  }

  #takeDone(): void {
    if (this.#normalizer.hasStarted) this.done = true;
    else this.invalidate("The upstream ended the stream without an answer.");
  }

  /** Returns true if the frame has content or a finish_reason. */
  #takeFrame(value: unknown): boolean {
    this.failure = this.#readError(value);
    if (this.failure !== undefined || !isJsonObject(value)) return false;
    const { frame: bare, reported } = takeUsage(value);
    const { hasStarted } = this.#normalizer;
    const { frame, textBytes, isSubstantive } = this.#normalizer.normalize(bare);
    if (this.#normalizer.isInterrupted) {
      this.failure = interrupted();
      return false;
    }
    for (const each of reported) {
      const usage = readAnyUsage(standardUsage(each, this.#form));
      if (usage !== undefined) this.takeUsage(usage, this.outputBytes + textBytes);
    }
    if (isSubstantive || reported.length > 0 || hasStarted !== this.#normalizer.hasStarted) this.frames += 1;
    if (frame === undefined) {
      this.#usageFrameWasLast ||= reported.length > 0 && this.started;
      return false;
    }
    this.#usageFrameWasLast = false;
    this.started ||= isSubstantive;
    this.outputBytes += textBytes;
    this.#append(this.#encoder.encode(frame));
    return isSubstantive;
  }

  #readError(value: unknown): ProviderError | undefined {
    return readReportedError(value, this.#failureContext);
  }

  #finishChoices(): void {
    for (const frame of this.#normalizer.finish()) {
      this.#append(this.#encoder.encode(frame));
      this.started = true;
    }
  }

  #append(frame: Uint8Array | undefined): void {
    if (frame === undefined) return;
    if (this.#translated === none) this.#translated = [frame];
    else this.#translated.push(frame);
  }

  /** The frames of the current chunk as one array. */
  #takeFrames(): Uint8Array | undefined {
    const frames = this.#translated;
    this.#translated = none;
    return frames === none ? undefined : joinBytes(frames);
  }

  /** JSON.stringify throws for values that are nested too deeply, and for a BigInt that a provider puts in a chunk. */
  #guard(take: () => void): void {
    try {
      take();
    } catch (cause) {
      this.invalidate("The upstream sent a frame that cannot be written as JSON.", cause);
    }
  }
}

/** Shared by all streams and never written to. */
const none: Uint8Array[] = [];
