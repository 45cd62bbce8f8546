import { upstreamError } from "../../errors/call-errors.ts";
import { asGatewayError } from "../../errors/gateway-error.ts";
import type { Output } from "../../money/token-counter.ts";
import type { Ending } from "../../ports/observer.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import { decodeFrames } from "../../upstream/frames.ts";
import type { ReportedUsage, Usage } from "../../wire/usage.ts";
import type { Consumption } from "../call/bill.ts";
import { costsMoreThanSeen } from "../call/hidden-reasoning.ts";
import { TargetCalls } from "../call/target-calls.ts";
import { type FrameReceiver, StreamAttempt, type StreamCodec } from "./stream-attempt.ts";
import { type ClientListener, StreamBody } from "./stream-body.ts";

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
  readonly #calls: TargetCalls<void, StreamAttempt>;
  /** What comes before the first content, such as a frame with the role alone. Until it is sent, another target may answer. */
  #early: Uint8Array[] = [];
  #earlyBytes = 0;
  #isCommitted = false;
  #firstContentAt: number | undefined;
  /** The frames that were sent until the client left, for a host that counts tokens itself. */
  readonly #sent: Uint8Array[] | undefined;

  /** Calls the first target at once. Throws `unsupported_parameter` when no target accepts the request. */
  constructor(services: Services, paid: PaidCall, codec: StreamCodec) {
    this.#services = services;
    this.#paid = paid;
    this.#codec = codec;
    this.#sent = services.tokens.readsText ? [] : undefined;
    this.#calls = new TargetCalls(services, paid, this, (call) => {
      this.#early = [];
      this.#earlyBytes = 0;
      return new StreamAttempt(services, paid, codec, call, this);
    });
    this.body = new StreamBody(services, this);
    paid.exchange.request.signal.addEventListener("abort", () => this.body.cancel());
    services.ticker.add(this);
    void this.#run();
  }

  /** How many attempts were made so far. */
  get attempts(): number {
    return this.#calls.count;
  }

  /** True once the client has received a part of the answer, or can receive nothing more. */
  get isCommitted(): boolean {
    return this.#isCommitted || this.body.isOver;
  }

  get outputBytes(): number {
    return this.#calls.attempt.translator.outputBytes;
  }

  get reported(): ReportedUsage | undefined {
    return this.#calls.attempt.translator.reported;
  }

  outputText(): string {
    return this.#sent?.flatMap(decodeFrames).map(this.#codec.textOf).join("") ?? "";
  }

  get hasHiddenReasoning(): boolean {
    return this.#calls.attempt.translator.hasHiddenReasoning;
  }

  async #run(): Promise<void> {
    const outcome = await this.#calls.run();
    if (outcome.ending === "complete") await this.#complete();
    else await this.#breakOff(outcome.ending, outcome.cause);
    await this.body.whenClosed();
    await this.#calls.attempt.whenClosed();
    this.#services.ticker.delete(this);
  }

  async #complete(): Promise<void> {
    const usage = await this.#settle(this.#calls.isDraining ? "client_gone" : "complete");
    this.body.write(await this.#calls.attempt.translator.finish(usage));
    this.body.close();
  }

  async #breakOff(ending: Ending, cause: unknown): Promise<void> {
    const error = upstreamError(cause);
    if (this.body.isStarted) {
      this.body.write(this.#calls.attempt.translator.fail(asGatewayError(error)));
      this.body.close();
    }
    await this.#settle(ending);
    this.body.refuse(error);
  }

  async #settle(ending: Ending): Promise<Usage> {
    const { bill, attempt } = this.#calls;
    return await bill.close(this.#consumption(ending), ending, attempt.translator, this.#firstContentAt);
  }

  /**
   * A stream that the upstream or the gateway interrupted is charged only for the delivered output, without hidden reasoning,
   * unless the host waives it. A client that left pays for the whole call.
   */
  #consumption(ending: Ending): Consumption {
    const { attempt, wasSent, target } = this.#calls;
    const { usage, complete, started } = attempt.translator;
    if (ending === "complete") return { by: "usage", usage, output: this };
    if (ending === "client_gone") {
      if (!wasSent) return { by: "nothing" };
      if (usage !== undefined && complete) return { by: "usage", usage, output: this };
      return { by: costsMoreThanSeen(this.#paid, target, this) ? "output-and-time" : "estimate", output: this };
    }
    const isWaived = ending === "upstream_failed" && this.#services.money.interrupted === "waive";
    return started && !isWaived ? { by: "estimate", output: this } : { by: "nothing" };
  }

  receive(frames: Uint8Array | undefined): void {
    const { translator } = this.#calls.attempt;
    if (this.#isCommitted) {
      if (frames !== undefined) this.#forward(frames, translator.started);
    } else this.#buffer(frames, translator.started);
    if (!translator.ended && this.body.unread > 0) this.#pauseIfBehind();
  }

  onDrain(): void {
    this.#calls.attempt.resume();
  }

  onLeave(): void {
    this.#calls.leave();
    // What is read only for its usage is not buffered, and not paused.
    if (this.#calls.isDraining) this.#calls.attempt.resume();
  }

  tick(now: number): void {
    if (this.body.cutIfStalled(now)) return;
    const { attempt, isOver, isDraining } = this.#calls;
    if (isOver) attempt.checkClosed(now);
    else this.#calls.tick(now);
    if (!attempt.isOver && !isDraining) this.body.keepAlive(now, attempt.isPaused);
  }

  /** Sends what was buffered with the first content, or once it is larger than what a client may leave unread. */
  #buffer(frames: Uint8Array | undefined, started: boolean): void {
    if (frames !== undefined) {
      this.#early.push(frames);
      this.#earlyBytes += frames.length;
    }
    // The end of an answer may start it and have no bytes of its own yet.
    if (this.#earlyBytes === 0 || (!started && this.#earlyBytes <= this.body.behindBytes)) return;
    this.#isCommitted = true;
    for (const each of this.#early.splice(0)) this.#forward(each, started);
  }

  #forward(frames: Uint8Array, started: boolean): void {
    this.body.write(frames);
    if (!this.#calls.isDraining) this.#sent?.push(frames);
    if (started && this.#firstContentAt === undefined) this.#markFirstContent();
  }

  #markFirstContent(): void {
    this.#firstContentAt = Date.now();
    this.#paid.exchange.report.mark("first_content");
    this.#calls.markAnswered();
    if (this.#calls.attempt.forwardsBytes) this.#calls.bill.releaseBody();
  }

  /** Pauses the upstream of a client that is behind. While the shared buffer limit is exceeded, pauses every upstream and disconnects clients that are behind. */
  #pauseIfBehind(): void {
    const { isBehind } = this.body;
    const { exceeded } = this.#services.buffers;
    if (isBehind && exceeded) this.body.cut();
    else if (isBehind || exceeded) this.#calls.attempt.pause();
  }
}
