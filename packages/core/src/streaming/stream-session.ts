import type { ModelTarget } from "../catalogue/model.ts";
import type { AnswerStream } from "../edge/answer.ts";
import { clientGone, draining } from "../errors/ended-early.ts";
import { asGatewayError, errorBody } from "../errors/render-error.ts";
import { upstreamError } from "../errors/upstream-error.ts";
import { Bill } from "../money/bill.ts";
import type { Output } from "../money/token-counter.ts";
import type { ByteSink } from "../ports/byte-stream.ts";
import type { Ending } from "../ports/observer.ts";
import type { ProviderStream } from "../ports/provider-adapter.ts";
import { UpstreamCall } from "../routing/upstream-call.ts";
import type { Services } from "../services.ts";
import type { Held } from "../steps/hold-balance.ts";
import { chunkText } from "../wire/output-text.ts";
import { ClientSide } from "./client-side.ts";
import { Commitment } from "./commitment.ts";
import { decodeFrames, doneFrame, encodeErrorFrame, encodeUsageFrame, keepAliveComment } from "./frames.ts";
import type { Watched } from "./pulse.ts";
import { StreamClock } from "./stream-clock.ts";
import { StreamTranslator } from "./stream-translator.ts";
import { UpstreamSide } from "./upstream-side.ts";

// An upstream that said [DONE] has this long to end its answer, so that its connection can serve again.
const upstreamEndsInMs = 5_000;

/** One streamed answer, from the call of the provider to the last byte: it joins the two sides and ends exactly once. */
export class StreamSession implements AnswerStream, Watched, Output {
  position = -1;
  readonly #services: Services;
  readonly #held: Held;
  readonly #target: ModelTarget;
  readonly #translator: StreamTranslator;
  readonly #upstream: UpstreamSide;
  readonly #client: ClientSide;
  readonly #clock: StreamClock;
  readonly #commitment = new Commitment();
  readonly #bill: Bill;
  readonly #call: UpstreamCall;
  readonly #pauseAboveBytes: number;
  #ended = false;
  #endedAt = 0;
  #firstContentAt: number | undefined;
  /** What was given out, for a host that counts tokens itself. */
  #given: Uint8Array[] | undefined;

  constructor(services: Services, held: Held) {
    this.#services = services;
    this.#held = held;
    this.#target = held.model.targets[0];
    this.#translator = new StreamTranslator({
      model: held.model.id,
      id: `chatcmpl-${held.requestId}`,
      created: Math.floor(held.startedAt / 1000),
    });
    this.#upstream = new UpstreamSide(this.#translator);
    this.#client = new ClientSide(services.buffers);
    this.#clock = new StreamClock(services);
    // The rest of what one client may hold is on its way here already, or lies in the host's own buffers.
    this.#pauseAboveBytes = services.streams.maxBufferedBytesPerStream / 4;
    if (services.tokens.readsText) this.#given = [];
    this.#bill = new Bill(services, held, this.#target, this);
    this.#call = new UpstreamCall(services, held, this.#target);
    void this.#start();
  }

  /** Resolves when status and headers may go out; rejects with what is to be answered instead. */
  get committed(): Promise<void> {
    return this.#commitment.promise;
  }

  get outputBytes(): number {
    return this.#translator.outputBytes;
  }

  outputText(): string {
    return (this.#given ?? []).flatMap(decodeFrames).map(chunkText).join("");
  }

  flow(sink: ByteSink): void {
    this.#client.open(sink);
  }

  taken(): void {
    this.#client.taken();
    if (this.#ended) this.#rest();
    this.#upstream.resume();
  }

  cancel(): void {
    this.#client.leave();
    if (this.#ended) this.#rest();
    else if (this.#target.provider.capabilities.cancel === "bills-full") this.#readOn();
    else this.#abandon();
  }

  tick(now: number): void {
    if (this.#ended) {
      if (this.#clock.stalled(now, this.#client)) this.#cut();
      if (now - this.#endedAt >= upstreamEndsInMs) this.#upstream.close();
      this.#rest();
      return;
    }
    const due = this.#clock.look(now, this.#translator, this.#client, this.#upstream.isPaused, this.#commitment.made);
    if (due === undefined) return;
    if (due === "commit") this.#commitment.make();
    else if (due === "keep-alive") this.#client.write(keepAliveComment);
    else if (due === "stalled") this.#cut();
    else if (due === "read-enough") this.#abandon();
    else this.#fail(due, "upstream_failed");
  }

  async #start(): Promise<void> {
    try {
      this.#held.request.signal.addEventListener("abort", () => this.cancel(), { once: true });
      this.#held.run.onAbort(() => this.#fail(draining(), "drained"));
      this.#services.pulse.add(this);
      this.#receive(await this.#target.provider.stream(this.#call));
    } catch (cause) {
      this.#fail(cause, "upstream_failed");
    }
  }

  #receive(stream: ProviderStream): void {
    this.#upstream.open(stream, {
      give: (bytes) => this.#pass(bytes),
      close: () => this.#upstreamEnded(),
      fail: (cause) => this.#fail(cause, "upstream_failed"),
    });
    if (this.#ended) this.#upstream.close();
  }

  #pass(bytes: Uint8Array | undefined): void {
    if (this.#ended) return;
    this.#give(bytes);
    if (this.#translator.failure !== undefined) this.#fail(this.#translator.failure, "upstream_failed");
    else if (this.#translator.done) this.#upstreamEnded();
    else if (this.#client.unread > this.#pauseAboveBytes) this.#pause();
  }

  /** The upstream said that it is done, or closed. */
  #upstreamEnded(): void {
    if (this.#ended) {
      this.#rest();
      return;
    }
    this.#give(this.#translator.end());
    if (this.#translator.failure !== undefined) this.#fail(this.#translator.failure, "upstream_failed");
    else void this.#complete();
  }

  #give(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) return;
    this.#client.write(bytes);
    this.#given?.push(bytes);
    if (this.#firstContentAt !== undefined || !this.#translator.started) return;
    this.#firstContentAt = Date.now();
    this.#commitment.make();
  }

  async #complete(): Promise<void> {
    this.#end();
    const { usage: reported } = this.#translator;
    const ending = this.#clock.clientHasGone ? "client_gone" : "complete";
    const usage = await this.#bill.close({ by: "usage", usage: reported, output: this }, ending, this.#firstContentAt);
    if (this.#wantsUsage()) this.#client.write(encodeUsageFrame(this.#translator.identity, usage));
    this.#client.write(doneFrame);
    this.#commitment.make();
    this.#closeClient();
  }

  #fail(cause: unknown, ending: Ending): void {
    if (this.#ended) return;
    this.#end();
    this.#call.abort(cause);
    this.#upstream.close();
    this.#services.reportFailure(this.#held, this.#target, cause);
    const error = upstreamError(cause);
    if (this.#commitment.made) {
      this.#client.write(encodeErrorFrame(this.#translator.identity, errorBody(asGatewayError(error))));
      this.#closeClient();
    }
    void this.#closeBill(ending).finally(() => this.#commitment.refuse(error));
  }

  /** A stream that ended early is charged for what was delivered, unless the host waives what an upstream broke off. */
  async #closeBill(ending: Ending): Promise<void> {
    const { started } = this.#translator;
    const waived = ending === "upstream_failed" && this.#services.money.interrupted === "waive";
    const charged = ending === "client_gone" || (started && !waived);
    await this.#bill.close(
      charged ? { by: "estimate", output: this } : { by: "nothing" },
      ending,
      this.#firstContentAt,
    );
  }

  /** The client has gone and the upstream bills the whole answer anyway: its usage is worth waiting for. */
  #readOn(): void {
    this.#clock.clientHasGone = true;
    this.#commitment.refuse(clientGone());
    this.#upstream.resume();
  }

  #abandon(): void {
    this.#end();
    this.#call.abort(clientGone());
    this.#upstream.close();
    this.#commitment.refuse(clientGone());
    void this.#closeBill("client_gone");
    this.#rest();
  }

  /** The client took nothing for too long. */
  #cut(): void {
    this.#client.cut(new Error("The client took nothing for too long."));
    this.cancel();
  }

  #pause(): void {
    if (this.#services.buffers.exceeded) this.#cut();
    else this.#upstream.pause();
  }

  #end(): void {
    this.#ended = true;
    this.#endedAt = Date.now();
  }

  /** Nothing is left to watch when both sides are closed. */
  #rest(): void {
    if (!this.#upstream.isOpen && !this.#client.isClosing) this.#services.pulse.delete(this);
  }

  #closeClient(): void {
    this.#client.close(this.#pauseAboveBytes);
    this.#rest();
  }

  #wantsUsage(): boolean {
    return this.#held.chat.stream_options?.include_usage ?? this.#services.streams.usageFrame === "always";
  }
}
