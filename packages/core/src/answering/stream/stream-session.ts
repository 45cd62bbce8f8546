import { clientGone, draining } from "../../errors/ended-early.ts";
import { asGatewayError, errorBody } from "../../errors/error-body.ts";
import { upstreamError } from "../../errors/upstream-error.ts";
import { releaseSlot } from "../../limits/settle-reservation.ts";
import type { Output } from "../../money/token-counter.ts";
import type { ByteSink } from "../../ports/byte-stream.ts";
import type { ResponseStream } from "../../ports/gateway-response.ts";
import type { Ending } from "../../ports/observer.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import { Attempts } from "../../routing/attempts.ts";
import { targetsFor } from "../../routing/targets-for.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import { doneFrame, encodeErrorFrame, encodeUsageFrame, keepAliveComment } from "../../streaming/frames.ts";
import type { ReportedUsage, Usage } from "../../wire/usage.ts";
import { Bill } from "../call/bill.ts";
import { isReadOn } from "../call/hidden-reasoning.ts";
import { ClientSide } from "./client-side.ts";
import { GivenText } from "./given-text.ts";
import { PreCommitBuffer } from "./pre-commit-buffer.ts";
import { ResponseStartGate } from "./response-start-gate.ts";
import { type AttemptListener, StreamAttempt } from "./stream-attempt.ts";
import { streamCharge } from "./stream-charge.ts";
import { StreamClock } from "./stream-clock.ts";

// An upstream that said [DONE] has this long to end its answer, so that its connection can serve again.
const upstreamEndsInMs = 5_000;

/**
 * One streamed answer, from the first call of a provider to the last byte: it joins the two sides and ends exactly
 * once. Until the client has been shown something, an attempt that fails may be followed by another.
 */
export class StreamSession implements ResponseStream, AttemptListener, Watched, Output {
  position = -1;
  readonly #services: Services;
  readonly #held: Held;
  readonly #attempts: Attempts;
  #attempt: StreamAttempt;
  readonly #preCommit: PreCommitBuffer;
  readonly #client: ClientSide;
  readonly #clock: StreamClock;
  readonly #startGate = new ResponseStartGate();
  readonly #bill: Bill;
  readonly #pauseAboveBytes: number;
  #ended = false;
  #endedAt = 0;
  #firstContentAt: number | undefined;
  /** For a host that counts tokens itself. */
  #given: GivenText | undefined;
  /** It has one of the places for reading on. */
  #readsOn = false;

  constructor(services: Services, held: Held) {
    this.#services = services;
    this.#held = held;
    this.#attempts = new Attempts(services, targetsFor(held.model, held.content.chat));
    this.#attempt = new StreamAttempt(services, held, this.#attempts.target, this);
    // The rest of what one client may hold is on its way here already, or lies in the host's own buffers.
    this.#pauseAboveBytes = services.streams.maxBufferedBytesPerStream / 4;
    this.#preCommit = new PreCommitBuffer(this.#pauseAboveBytes);
    this.#client = new ClientSide(services.buffers);
    this.#clock = new StreamClock(services, this.#attempts.target.limits);
    if (services.tokens.readsText) this.#given = new GivenText();
    this.#bill = new Bill(services, held, this.#attempts.target, this);
    held.request.signal.addEventListener("abort", () => this.cancel());
    held.run.onAbort(() => (this.#readsOn ? this.#abandon() : this.#fail(draining(), "drained")));
    services.ticker.add(this);
    this.#attempt.begin(0);
  }

  /** Resolves when status and headers may go out; rejects with what is to be answered instead. */
  get committed(): Promise<void> {
    return this.#startGate.promise;
  }

  /** How many attempts were made so far. */
  get attempts(): number {
    return this.#attempts.count;
  }

  get stalledMs(): number {
    return this.#services.streams.stalledMs;
  }

  get outputBytes(): number {
    return this.#attempt.translator.outputBytes;
  }

  get reported(): ReportedUsage | undefined {
    return this.#attempt.translator.reported;
  }

  outputText(): string {
    return this.#given?.text() ?? "";
  }

  get unkeptBytes(): number {
    return this.#given?.unkept(this.outputBytes) ?? 0;
  }

  pipeTo(sink: ByteSink): void {
    this.#client.open(sink);
  }

  onDrain(): void {
    this.#client.taken();
    if (this.#ended) this.#rest();
    this.#attempt.upstream.resume();
  }

  cancel(): void {
    this.#client.leave();
    if (this.#ended) this.#rest();
    else if (!this.#readsOn) this.#leave();
  }

  tick(now: number): void {
    const { translator, upstream } = this.#attempt;
    if (this.#ended) {
      if (this.#clock.stalled(now, this.#client)) this.#cut();
      if (now - this.#endedAt >= upstreamEndsInMs) upstream.cancel();
      this.#rest();
      return;
    }
    const due = this.#clock.look(now, translator, this.#client, upstream.isPaused, this.#startGate.isOpen);
    if (due === undefined) return;
    if (due === "commit") this.#startGate.open();
    else if (due === "keep-alive") this.#client.write(keepAliveComment);
    else if (due === "stalled") this.#cut();
    else if (due === "read-enough") this.#abandon();
    else this.#attemptFailed(due);
  }

  /** What an attempt tells after another has taken its place means nothing. */
  attemptGave(attempt: StreamAttempt, bytes: Uint8Array | undefined): void {
    if (attempt === this.#attempt) this.#pass(bytes);
  }

  attemptClosed(attempt: StreamAttempt): void {
    if (attempt === this.#attempt) this.#upstreamEnded();
  }

  attemptFailed(attempt: StreamAttempt, cause: unknown): void {
    if (attempt === this.#attempt) this.#attemptFailed(cause);
  }

  #pass(bytes: Uint8Array | undefined): void {
    if (this.#ended) return;
    const { translator } = this.#attempt;
    this.#give(bytes);
    if (translator.failure !== undefined) this.#attemptFailed(translator.failure);
    else if (translator.done) this.#upstreamEnded();
    else if (this.#client.unread > 0) this.#pauseWhenBehind();
  }

  /** While all together leave too much lying, whoever is behind waits, and whoever is far behind is cut. */
  #pauseWhenBehind(): void {
    const isFarBehind = this.#client.unread > this.#pauseAboveBytes;
    const { exceeded } = this.#services.buffers;
    if (isFarBehind && exceeded) this.#cut();
    else if (isFarBehind || exceeded) this.#attempt.upstream.pause();
  }

  /** The upstream said that it is done, or closed. */
  #upstreamEnded(): void {
    if (this.#ended) {
      this.#rest();
      return;
    }
    const { translator } = this.#attempt;
    this.#give(translator.end());
    if (translator.failure !== undefined) this.#attemptFailed(translator.failure);
    else void this.#complete();
  }

  #give(bytes: Uint8Array | undefined): void {
    const { started } = this.#attempt.translator;
    const shown = this.#preCommit.pass(bytes, started);
    if (shown === undefined) return;
    for (const each of shown) {
      this.#client.write(each);
      this.#given?.push(each);
    }
    // Whatever is given out, be it more than can be kept back, waits for its response no longer.
    if (!this.#startGate.isOpen) this.#startGate.open();
    if (this.#firstContentAt !== undefined || !started) return;
    this.#firstContentAt = Date.now();
    this.#attempts.answer();
    if (this.#attempt.upstream.handsOnBytes) this.#bill.forgetPrompt();
  }

  /**
   * Follows an attempt that failed by another, as long as the client has seen nothing of it. What is lost behind the end
   * of a whole answer is no failure.
   */
  #attemptFailed(cause: unknown): void {
    if (this.#ended) return;
    const whole = this.#attempt;
    if (whole.translator.isWhole(this.#held.outputBound.choices)) {
      // The usage may stand in what came last, without the blank line that ends it.
      this.#upstreamEnded();
      whole.end(cause);
      return;
    }
    const goesOn = !this.#preCommit.shown && !this.#clock.clientHasGone;
    if (!goesOn) this.#attempts.fail(cause);
    const next = goesOn ? this.#attempts.next(cause) : undefined;
    if (next === undefined) {
      this.#fail(cause, "upstream_failed");
      return;
    }
    const failed = this.#attempt;
    const attempt = new StreamAttempt(this.#services, this.#held, next.target, this);
    // First of all, since an upstream may tell of its end while it is being ended.
    this.#attempt = attempt;
    this.#services.reportFailure(this.#held, failed.target, cause);
    failed.end(cause);
    this.#preCommit.drop();
    this.#bill.moveTo(next.target, next.waitMs);
    this.#clock.restart(next.waitMs, next.target.limits);
    attempt.begin(next.waitMs);
  }

  async #complete(): Promise<void> {
    this.#end();
    this.#attempts.succeed();
    const usage = await this.#closeBill(this.#readsOn ? "client_gone" : "complete");
    if (this.#wantsUsage()) this.#client.write(encodeUsageFrame(this.#attempt.translator.identity, usage));
    this.#client.write(doneFrame);
    this.#startGate.open();
    this.#closeClient();
  }

  #fail(cause: unknown, ending: "upstream_failed" | "drained"): void {
    if (this.#ended) return;
    this.#end();
    if (ending === "drained") this.#attempts.leave();
    this.#attempt.end(cause);
    if (this.#attempt.called) this.#services.reportFailure(this.#held, this.#attempt.target, cause);
    const error = upstreamError(cause);
    if (this.#startGate.isOpen) {
      this.#client.write(encodeErrorFrame(this.#attempt.translator.identity, errorBody(asGatewayError(error))));
      this.#closeClient();
    }
    void this.#closeBill(ending).finally(() => this.#startGate.reject(error));
  }

  async #closeBill(ending: Ending): Promise<Usage> {
    const charge = streamCharge(ending, this.#held, this.#attempt, this, this.#services.money.interrupted);
    return await this.#bill.close(charge, ending, this.#firstContentAt);
  }

  /** The client has gone: its upstream is ended, or read for its usage alone, with nothing kept and nothing that pauses it. */
  #leave(): void {
    const { readingOn, money, limiter } = this.#services;
    this.#readsOn = isReadOn(this.#held, this.#attempt, money.hiddenReasoning) && readingOn.begin();
    this.#startGate.reject(clientGone());
    if (this.#readsOn) {
      this.#clock.clientHasGone = true;
      this.#given?.stop(this.outputBytes);
      releaseSlot(limiter, this.#held);
      this.#attempt.upstream.resume();
    } else this.#abandon();
  }

  #abandon(): void {
    if (this.#ended) return;
    this.#end();
    this.#attempts.leave();
    this.#attempt.end(clientGone());
    void this.#closeBill("client_gone");
    this.#rest();
  }

  /** The client took nothing for too long. */
  #cut(): void {
    this.#client.cut(new Error("The client took nothing for too long."));
    this.cancel();
  }

  #end(): void {
    this.#ended = true;
    this.#endedAt = Date.now();
    if (this.#readsOn) this.#services.readingOn.end();
  }

  /** Nothing is left to watch when both sides are closed. */
  #rest(): void {
    if (!this.#attempt.upstream.isOpen && !this.#client.isClosing) this.#services.ticker.delete(this);
  }

  #closeClient(): void {
    this.#client.close(this.#pauseAboveBytes);
    this.#rest();
  }

  #wantsUsage(): boolean {
    return this.#held.content.chat.stream_options?.include_usage ?? this.#services.streams.usageFrame === "always";
  }
}
