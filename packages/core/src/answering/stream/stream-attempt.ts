import { GatewayError } from "../../errors/gateway-error.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import type { ByteSink, ByteStream } from "../../ports/byte-stream.ts";
import type { ProviderStream } from "../../ports/provider-adapter.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { steadyNow } from "../../runtime/timers.ts";
import type { AnswerTranslator } from "../../upstream/answer-translator.ts";
import { contextOf, type FailureContext } from "../../upstream/failure.ts";
import type { ChatCompletionChunk } from "../../wire/chat-completion.ts";
import { mustDrainUsage } from "../call/hidden-reasoning.ts";
import type { Attempt } from "../call/target-calls.ts";
import type { UpstreamCall } from "../call/upstream-call.ts";
import type { ModelApi } from "../model-api.ts";
import { type ChunkSink, ChunkSource } from "./chunk-source.ts";

/** The part of an API that translates streams. */
export type StreamCodec = Pick<ModelApi, "translated" | "native" | "textOf">;

/** Receives the output of an attempt. */
export interface FrameReceiver {
  /** Receives whole frames for the client, or undefined when there are none yet. */
  receive(frames: Uint8Array | undefined): void;
  readonly isCommitted: boolean;
}

/** The functions that settle a promise. */
interface Settle {
  resolve(): void;
  reject(cause: unknown): void;
}

/** An upstream that sent [DONE] has this long to end its answer, so that its connection can be used again. */
const upstreamEndsInMs = 5_000;

const none: readonly string[] = [];

/** One attempt at a streamed answer: it translates what its target sends, which it can pause, and ends once. */
export class StreamAttempt implements Attempt<void>, ByteSink, ChunkSink {
  readonly startLimit = "first frame";
  readonly translator: AnswerTranslator;
  isPaused = false;
  readonly #call: UpstreamCall;
  readonly #paid: PaidCall;
  readonly #services: Services;
  readonly #receiver: FrameReceiver;
  #source: Omit<ByteStream, "pipeTo"> | undefined;
  #isOpen = false;
  #onClosed: (() => void) | undefined;
  #hidden = none;
  #secrets = none;
  #forwardsBytes = false;
  #endedAt: number | undefined;
  #promise: Settle | undefined;

  constructor(services: Services, paid: PaidCall, codec: StreamCodec, call: UpstreamCall, receiver: FrameReceiver) {
    const { target, nativeMethod } = call;
    this.#call = call;
    this.#paid = paid;
    this.#services = services;
    this.#receiver = receiver;
    const reader = (nativeMethod && codec.native) ?? codec.translated;
    this.translator = reader.translator(paid, {
      target,
      usageFrame: services.streams.usageFrame,
      failureContext: () => this.#failureContext(),
      onUnknownEvent: (eventType) => this.#reportUnknown(eventType),
    });
  }

  get startMs(): number {
    return this.#call.target.limits.firstFrameMs;
  }

  get activity(): number {
    return this.translator.frames;
  }

  get isCommitted(): boolean {
    return this.#receiver.isCommitted;
  }

  get drainsUsage(): boolean {
    return mustDrainUsage(this.#paid, this.#call.target, this.translator, this.#services.money.hiddenReasoning);
  }

  /** True for a provider that forwards the upstream's bytes, and therefore no longer needs the request. */
  get forwardsBytes(): boolean {
    return this.#forwardsBytes;
  }

  /** True once it has ended; the upstream may still be open after [DONE]. */
  get isOver(): boolean {
    return this.#endedAt !== undefined;
  }

  /** Calls the target. Resolves when its answer is complete. */
  send(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#promise = { resolve, reject };
      this.#call.onAbort((cause) => this.#stop(cause));
      void this.#open();
    });
  }

  write(bytes: Uint8Array): void {
    if (!this.isOver) this.#take(this.translator.translate(bytes));
  }

  writeChunk(chunk: ChatCompletionChunk): void {
    if (!this.isOver) this.#take(this.translator.translateChunk(chunk));
  }

  close(): void {
    this.#markClosed();
    if (!this.isOver) this.#complete();
  }

  fail(cause: unknown): void {
    this.#markClosed();
    if (!this.isOver) this.#call.abort(cause);
  }

  pause(): void {
    this.isPaused = true;
    this.#source?.pause();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.#source?.resume();
  }

  /** Closes the connection of an ended attempt if the upstream does not close it in time. */
  checkClosed(now: number): void {
    if (this.#endedAt !== undefined && now - this.#endedAt >= upstreamEndsInMs) this.#disconnect();
  }

  /** Resolves when the connection to the upstream is closed. */
  whenClosed(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onClosed = resolve;
    });
  }

  async #open(): Promise<void> {
    try {
      const stream = await this.#called();
      this.#isOpen = true;
      if (stream.kind === "bytes") this.#readBytes(stream);
      else this.#readChunks(stream.chunks);
      // It may have been aborted while the target was called.
      if (this.#call.cancellation.aborted) this.#disconnect();
    } catch (cause) {
      if (!this.isOver) this.#call.abort(cause);
    }
  }

  /** Calls the target in the dialect of the client if it speaks it, and else with a chat completion. */
  async #called(): Promise<ProviderStream> {
    const { nativeMethod, target } = this.#call;
    if (nativeMethod === undefined) return await target.provider.stream(this.#call);
    const answer = await nativeMethod(this.#call);
    this.#secrets = answer.secrets ?? none;
    if (answer.kind === "stream") return { ...answer, kind: "bytes" };
    throw new ProviderError("invalid_response", "The provider answered without a stream, although one was requested.");
  }

  #readBytes({ bytes, hidden = none }: Extract<ProviderStream, { readonly kind: "bytes" }>): void {
    this.#forwardsBytes = true;
    this.#hidden = hidden;
    this.#source = bytes;
    bytes.pipeTo(this);
  }

  #readChunks(chunks: AsyncIterable<ChatCompletionChunk>): void {
    const source = new ChunkSource(chunks);
    this.#source = source;
    void source.pipeTo(this);
  }

  #take(frames: Uint8Array | undefined): void {
    this.#receiver.receive(frames);
    if (this.isOver) return;
    const { failure, done } = this.translator;
    if (failure !== undefined) this.#call.abort(failure);
    else if (done) this.#complete();
  }

  /** The upstream sent [DONE], or closed. */
  #complete(): void {
    this.#receiver.receive(this.translator.end());
    const { failure } = this.translator;
    if (failure === undefined) this.#end()?.resolve();
    else this.#call.abort(failure);
  }

  /** The call was aborted: the upstream failed, a limit passed, the client left, or the gateway is draining. */
  #stop(cause: unknown): void {
    // The upstream may break or fall silent after a complete answer. Its last event may lack the blank line that ends it.
    const isComplete = !GatewayError.is(cause) && this.translator.hasAllChoices(this.#paid.size.outputBound.choices);
    if (isComplete && !this.isOver) this.#complete();
    else this.#end()?.reject(cause);
    this.#disconnect();
  }

  /** Ends the attempt. Returns its promise the first time, since the first end counts. */
  #end(): Settle | undefined {
    this.#endedAt ??= steadyNow();
    const promise = this.#promise;
    this.#promise = undefined;
    return promise;
  }

  /** Closes the connection, unless the upstream has closed it. */
  #disconnect(): void {
    if (this.#isOpen) this.#source?.cancel();
    this.#markClosed();
  }

  #markClosed(): void {
    this.#isOpen = false;
    this.#onClosed?.();
  }

  #failureContext(): FailureContext {
    return contextOf(this.#call.target, this.#paid.model.id, { hidden: this.#hidden, secrets: this.#secrets });
  }

  #reportUnknown(eventType: string): void {
    const { provider, upstreamModel } = this.#call.target;
    const { requestId } = this.#paid.exchange;
    const upstream = { provider: provider.name, upstreamModel };
    this.#services.observe({ type: "event.unknown", at: Date.now(), requestId, ...upstream, eventType });
  }
}
