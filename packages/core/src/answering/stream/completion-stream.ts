import { asGatewayError } from "../../errors/error-body.ts";
import { upstreamError } from "../../errors/upstream-error.ts";
import type { Output } from "../../money/token-counter.ts";
import type { Ending } from "../../ports/observer.ts";
import { RequestPreference } from "../../request/conversation.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { Attempts, type NextAttempt, targetsFor } from "../../routing/attempts.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import type { ReportedUsage, Usage } from "../../wire/usage.ts";
import { Bill } from "../call/bill.ts";
import { isReadOn } from "../call/hidden-reasoning.ts";
import { PreCommitBuffer } from "./pre-commit-buffer.ts";
import { SentText } from "./sent-text.ts";
import { type AttemptEnd, type FrameReceiver, StreamAttempt, type StreamCodec } from "./stream-attempt.ts";
import { type ClientListener, StreamBody } from "./stream-body.ts";
import { streamCharge } from "./stream-charge.ts";

/**
 * One streamed completion, from the first call of a target to the last frame. `#run` is its main path. Frames are pushed,
 * because a promise for each frame costs some percent: an attempt calls `receive`, and the body calls `onDrain` and
 * `onLeave`.
 */
export class CompletionStream implements FrameReceiver, ClientListener, Watched, Output {
  position = -1;
  /** The body of the answer. */
  readonly body: StreamBody;
  readonly #services: Services;
  readonly #paid: PaidCall;
  readonly #codec: StreamCodec;
  readonly #openedAt = Date.now();
  readonly #attempts: Attempts;
  #attempt: StreamAttempt;
  readonly #preCommit: PreCommitBuffer;
  readonly #bill: Bill;
  #firstContentAt: number | undefined;
  /** The sent text, for a host that counts tokens itself. */
  readonly #sentText: SentText | undefined;
  /** When the client left, if the upstream is read on only for its usage. */
  #readsOnSince: number | undefined;

  /** Calls the first target at once. Throws `unsupported_parameter` when no target accepts the request. */
  constructor(services: Services, paid: PaidCall, codec: StreamCodec) {
    this.#services = services;
    this.#paid = paid;
    this.#codec = codec;
    this.#attempts = new Attempts(services, targetsFor(paid.model, paid.call), () => new RequestPreference(paid));
    this.#attempt = new StreamAttempt(services, paid, this.#attempts.target, codec, this);
    this.body = new StreamBody(services, this);
    this.#preCommit = new PreCommitBuffer(this.body.behindBytes);
    this.#sentText = services.tokens.readsText ? new SentText(codec) : undefined;
    this.#bill = new Bill(services, paid, this.#attempts.target, this);
    paid.exchange.request.signal.addEventListener("abort", () => this.body.cancel());
    paid.slot.onAbort(() => this.#attempt.end(this.#readsOnSince === undefined ? "drained" : "client_gone"));
    services.ticker.add(this);
    void this.#run();
  }

  /** How many attempts were made so far. */
  get attempts(): number {
    return this.#attempts.count;
  }

  get outputBytes(): number {
    return this.#attempt.translator.outputBytes;
  }

  get reported(): ReportedUsage | undefined {
    return this.#attempt.translator.reported;
  }

  outputText(): string {
    return this.#sentText?.text() ?? "";
  }

  get hidesReasoning(): boolean {
    return this.#attempt.translator.hidesReasoning;
  }

  async #run(): Promise<void> {
    const { ending, cause } = await this.#callTargets();
    if (this.#readsOnSince !== undefined) this.#services.readingOn.end();
    if (ending === "complete") await this.#complete();
    else await this.#breakOff(ending, cause);
    await this.body.whenClosed();
    await this.#attempt.upstream.whenClosed();
    this.#services.ticker.delete(this);
  }

  /** Calls one target after another until one answers or no further attempt is allowed. */
  async #callTargets(): Promise<AttemptEnd> {
    for (let waitMs = 0; ; ) {
      const end = await this.#attempt.call(waitMs);
      const next = this.#next(end);
      const { target, called } = this.#attempt;
      const failed = end.ending === "upstream_failed" || end.ending === "drained";
      if (failed && called) this.#services.reportFailure(this.#paid.exchange, target, end.cause);
      if (next === undefined) return end;
      this.#attempt = new StreamAttempt(this.#services, this.#paid, next.target, this.#codec, this);
      this.#preCommit.clear();
      this.#bill.moveTo(next.target, next.waitMs);
      waitMs = next.waitMs;
    }
  }

  /** Records how an attempt ended. Returns the next attempt, which is allowed only while the client has received nothing. */
  #next({ ending, cause }: AttemptEnd): NextAttempt | undefined {
    if (ending === "complete") this.#attempts.succeed();
    else if (ending !== "upstream_failed") this.#attempts.leave();
    else if (this.#preCommit.isCommitted || this.body.isOver || this.#paid.slot.aborted) this.#attempts.fail(cause);
    else return this.#attempts.next(cause);
    return undefined;
  }

  async #complete(): Promise<void> {
    const usage = await this.#settle(this.#readsOnSince === undefined ? "complete" : "client_gone");
    this.body.write(await this.#attempt.translator.finish(usage));
    this.body.close();
  }

  async #breakOff(ending: Ending, cause: unknown): Promise<void> {
    const error = upstreamError(cause);
    if (this.body.isStarted) {
      this.body.write(this.#attempt.translator.fail(asGatewayError(error)));
      this.body.close();
    }
    await this.#settle(ending);
    this.body.refuse(error);
  }

  async #settle(ending: Ending): Promise<Usage> {
    const charge = streamCharge(ending, this.#paid, this.#attempt, this, this.#services.money.interrupted);
    return await this.#bill.close(charge, ending, this.#attempt.translator, this.#firstContentAt);
  }

  receive(frames: Uint8Array | undefined): void {
    const { translator } = this.#attempt;
    const released = this.#preCommit.push(frames, translator.started);
    if (released !== undefined) this.#forward(released);
    if (!translator.ended && this.body.unread > 0) this.#pauseIfBehind();
  }

  onDrain(): void {
    this.#attempt.upstream.resume();
  }

  /** Ends the upstream, or reads it on only for its usage, without buffering and without pausing it. */
  onLeave(): void {
    const attempt = this.#attempt;
    if (attempt.isOver) return;
    const { readingOn, money } = this.#services;
    if (isReadOn(this.#paid, attempt, money.hiddenReasoning) && readingOn.begin()) {
      this.#readsOnSince = Date.now();
      this.#sentText?.stop();
      this.#bill.leaveKey();
      attempt.upstream.resume();
    } else attempt.end("client_gone");
  }

  tick(now: number): void {
    if (this.body.cutIfStalled(now)) return;
    const attempt = this.#attempt;
    const endsAt = this.#openedAt + attempt.target.limits.totalMs;
    if (attempt.isOver) attempt.checkClosed(now);
    else if (this.#readsOnSince !== undefined) {
      const enoughAt = this.#readsOnSince + this.#services.money.readOnMs;
      if (now >= Math.min(enoughAt, endsAt)) attempt.end("client_gone");
    } else {
      attempt.checkTime(now, endsAt);
      if (!attempt.isOver) this.body.keepAlive(now, attempt.upstream.isPaused);
    }
  }

  #forward(released: readonly Uint8Array[]): void {
    for (const frames of released) {
      this.body.write(frames);
      this.#sentText?.push(frames);
    }
    if (this.#firstContentAt !== undefined || !this.#attempt.translator.started) return;
    this.#firstContentAt = Date.now();
    this.#paid.exchange.report.mark("first_content");
    this.#attempts.answer();
    if (this.#attempt.forwardsBytes) this.#bill.releaseBody();
  }

  /** Pauses the upstream of a client that is behind. While the shared buffer limit is exceeded, pauses every upstream and disconnects clients that are behind. */
  #pauseIfBehind(): void {
    const { isBehind } = this.body;
    const { exceeded } = this.#services.buffers;
    if (isBehind && exceeded) this.body.cut();
    else if (isBehind || exceeded) this.#attempt.upstream.pause();
  }
}
