import { clientGone, draining, outOfTime } from "../../errors/ended-early.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { contextOf, type FailureContext } from "../../failures/failure.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { Ending, Observer } from "../../ports/observer.ts";
import type { ProviderStream } from "../../ports/provider-adapter.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { wait } from "../../runtime/timers.ts";
import type { AnswerTranslator } from "../../streaming/answer-translator.ts";
import type { ChatCompletionChunk } from "../../wire/chat-completion-chunk.ts";
import { UpstreamCall } from "../call/upstream-call.ts";
import type { ModelApi } from "../model-api.ts";
import { UpstreamConnection, type UpstreamSink } from "./upstream-connection.ts";

/** The part of a codec that translates streams. */
export type StreamCodec = Pick<ModelApi, "translated" | "native" | "textOf">;

/** Receives the output of an attempt: whole frames for the client, or undefined when there are none yet. */
export interface FrameReceiver {
  receive(frames: Uint8Array | undefined): void;
}

/** How an attempt ended, and the cause if it failed. */
export interface AttemptEnd {
  readonly ending: Exclude<Ending, "refused">;
  readonly cause?: unknown;
}

/** An upstream that sent [DONE] has this long to end its answer, so that its connection can be used again. */
const upstreamEndsInMs = 5_000;

const none: readonly string[] = [];

/** One attempt at a streamed answer: it calls one target, translates what the target sends, and ends once. */
export class StreamAttempt implements UpstreamSink {
  readonly target: ModelTarget;
  readonly translator: AnswerTranslator;
  readonly upstream = new UpstreamConnection(this);
  readonly #call: UpstreamCall;
  readonly #choices: number;
  readonly #receiver: FrameReceiver;
  readonly #publicModel: string;
  #hidden = none;
  #secrets = none;
  #forwardsBytes = false;
  #called = false;
  #isStopped = false;
  #endedAt: number | undefined;
  #resolve: ((end: AttemptEnd) => void) | undefined;
  #stopWaiting: (() => void) | undefined;
  // The ticker compares this count with the translator's, so that a frame need not read the clock.
  #frames = 0;
  #silentSince = 0;

  constructor(services: Services, paid: PaidCall, target: ModelTarget, codec: StreamCodec, receiver: FrameReceiver) {
    this.target = target;
    this.#call = new UpstreamCall(services, paid, target);
    const reader = (this.#call.nativeMethod && codec.native) ?? codec.translated;
    const { usageFrame } = services.streams;
    this.#publicModel = paid.model.id;
    this.translator = reader.translator(paid, {
      target,
      usageFrame,
      failureContext: () => this.#failureContext(),
      onUnknownEvent: (eventType) => this.#reportUnknown(services.observe, paid.exchange.requestId, eventType),
    });
    this.#choices = paid.size.outputBound.choices;
    this.#receiver = receiver;
  }

  /** True once the target was called. */
  get called(): boolean {
    return this.#called;
  }

  /** True for a provider that forwards the upstream's bytes, and therefore no longer needs the request. */
  get forwardsBytes(): boolean {
    return this.#forwardsBytes;
  }

  /** True once it has ended; the upstream may still be open after [DONE]. */
  get isOver(): boolean {
    return this.#endedAt !== undefined;
  }

  /** Calls the target after a wait in milliseconds, and resolves with the end of the attempt. Never rejects. */
  call(waitMs: number): Promise<AttemptEnd> {
    this.#silentSince = Date.now() + waitMs;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      void this.#start(waitMs);
    });
  }

  write(bytes: Uint8Array): void {
    if (!this.isOver) this.#take(this.translator.translate(bytes));
  }

  writeChunk(chunk: ChatCompletionChunk): void {
    if (!this.isOver) this.#take(this.translator.translateChunk(chunk));
  }

  close(): void {
    if (!this.isOver) this.#complete();
  }

  fail(cause: unknown): void {
    if (!this.isOver) this.#fail(cause);
  }

  /** Ends the attempt from outside, because the client left or the gateway is draining. Does nothing if it has ended. */
  end(ending: "client_gone" | "drained"): void {
    if (this.isOver) return;
    const cause = ending === "drained" ? draining() : clientGone();
    this.#finish({ ending, cause });
    this.#stop(cause);
  }

  /** Fails an attempt that exceeds a time limit. `endsAt` is the deadline of the whole stream; both are in milliseconds since the Unix epoch. */
  checkTime(now: number, endsAt: number): void {
    const { limits } = this.target;
    if (this.upstream.isPaused || this.translator.frames !== this.#frames) {
      this.#frames = this.translator.frames;
      this.#silentSince = now;
    }
    const silentMs = now - this.#silentSince;
    if (now >= endsAt) this.#fail(outOfTime("total", limits.totalMs));
    else if (this.#frames === 0 && silentMs >= limits.firstFrameMs)
      this.#fail(outOfTime("first frame", limits.firstFrameMs));
    else if (this.#frames > 0 && silentMs >= limits.idleMs) this.#fail(outOfTime("idle", limits.idleMs));
  }

  /** Closes the connection of an ended attempt if the upstream does not close it in time. */
  checkClosed(now: number): void {
    if (this.#endedAt !== undefined && now - this.#endedAt >= upstreamEndsInMs) this.upstream.disconnect();
  }

  async #start(waitMs: number): Promise<void> {
    if (waitMs > 0) await this.#wait(waitMs);
    this.#called = true;
    this.#call.begin();
    try {
      const stream = await this.#open();
      this.#forwardsBytes = stream.kind === "bytes";
      if (stream.kind === "bytes") this.#hidden = stream.hidden ?? none;
      this.upstream.open(stream);
      // It may have been stopped while the target was called.
      if (this.#isStopped) this.upstream.disconnect();
    } catch (cause) {
      if (!this.isOver) this.#fail(cause);
    }
  }

  /** Calls the target in the dialect of the client if it speaks it, and else with a chat completion. */
  async #open(): Promise<ProviderStream> {
    const { nativeMethod } = this.#call;
    if (nativeMethod === undefined) return await this.target.provider.stream(this.#call);
    const answer = await nativeMethod(this.#call);
    this.#secrets = answer.secrets ?? none;
    if (answer.kind === "stream") return { ...answer, kind: "bytes" };
    throw new ProviderError("invalid_response", "The provider answered without a stream, although one was requested.");
  }

  /** Never resolves if the attempt is stopped during the wait. */
  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#stopWaiting = wait(milliseconds, resolve);
    });
  }

  #take(frames: Uint8Array | undefined): void {
    this.#receiver.receive(frames);
    if (this.isOver) return;
    const { failure, done } = this.translator;
    if (failure !== undefined) this.#fail(failure);
    else if (done) this.#complete();
  }

  /** The upstream sent [DONE], or closed. */
  #complete(): void {
    this.#receiver.receive(this.translator.end());
    const { failure } = this.translator;
    if (failure === undefined) this.#finish({ ending: "complete" });
    else this.#fail(failure);
  }

  /** A connection that breaks after a complete answer is not a failure. */
  #fail(cause: unknown): void {
    // The last event may hold the usage even though the blank line that ends it is missing.
    if (this.translator.hasAllChoices(this.#choices)) this.#complete();
    else this.#finish({ ending: "upstream_failed", cause });
    this.#stop(cause);
  }

  #finish(end: AttemptEnd): void {
    this.#endedAt ??= Date.now();
    // The first end counts.
    this.#resolve?.(end);
    this.#resolve = undefined;
  }

  #stop(cause: unknown): void {
    this.#isStopped = true;
    this.#stopWaiting?.();
    this.#call.abort(cause);
    this.upstream.disconnect();
  }

  #failureContext(): FailureContext {
    return contextOf(this.target, this.#publicModel, { hidden: this.#hidden, secrets: this.#secrets });
  }

  #reportUnknown(observe: Observer, requestId: string, eventType: string): void {
    const { provider, upstreamModel } = this.target;
    observe({ type: "event.unknown", at: Date.now(), requestId, provider: provider.name, upstreamModel, eventType });
  }
}
