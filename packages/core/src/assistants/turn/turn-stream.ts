import { requireClient } from "../../answering/call/require-client.ts";
import { ClientClock } from "../../answering/stream/client-clock.ts";
import { ClientSide } from "../../answering/stream/client-side.ts";
import { ResponseStartGate } from "../../answering/stream/response-start-gate.ts";
import { clientGone } from "../../errors/ended-early.ts";
import { asGatewayError, errorBody } from "../../errors/error-body.ts";
import type { ErrorCode } from "../../errors/error-table.ts";
import type { ByteSink } from "../../ports/byte-stream.ts";
import type { ResponseStream } from "../../ports/gateway-response.ts";
import type { Ending } from "../../ports/observer.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import {
  doneFrame,
  encodeErrorFrame,
  encodeFrame,
  encodeUsageFrame,
  envelope,
  keepAliveComment,
  type StreamIdentity,
} from "../../streaming/frames.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { NormalizedCompletion } from "../../wire/normalize-completion.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { Begun } from "./begin-turn.ts";
import { RelayedCall } from "./relayed-call.ts";
import { type Finished, runRounds } from "./run-rounds.ts";
import { turnIdentity } from "./turn-identity.ts";

/** The streamed answer of one turn: the content of every round as it comes, as one stream with one end. */
export class TurnStream implements ResponseStream, Watched {
  position = -1;
  readonly #services: AssistantServices;
  readonly #begun: Begun;
  readonly #identity: StreamIdentity;
  readonly #client: ClientSide;
  readonly #clock: ClientClock;
  readonly #startGate = new ResponseStartGate();
  readonly #openedAt = Date.now();
  readonly #behindBytes: number;
  #call: RelayedCall | undefined;
  #roleIsOut = false;
  #ended = false;

  constructor(services: AssistantServices, begun: Begun) {
    this.#services = services;
    this.#begun = begun;
    this.#identity = turnIdentity(begun);
    this.#client = new ClientSide(services.buffers);
    this.#clock = new ClientClock(services.streams);
    this.#behindBytes = services.streams.maxBufferedBytesPerStream / 4;
    begun.request.signal.addEventListener("abort", () => this.cancel());
    services.ticker.add(this);
    begun.meta.report.open();
    const running = this.#run();
    begun.request.waitUntil?.(running);
  }

  /** Resolves when status and headers may go out; rejects with what is to be answered instead. */
  get committed(): Promise<void> {
    return this.#startGate.promise;
  }

  get stalledMs(): number {
    return this.#services.streams.stalledMs;
  }

  pipeTo(sink: ByteSink): void {
    this.#client.open(sink);
  }

  onDrain(): void {
    this.#client.taken();
    this.#call?.taken();
    this.#rest();
  }

  /** The client has gone: the running call of the model ends, running webhooks do not. */
  cancel(): void {
    this.#client.leave();
    this.#startGate.reject(clientGone());
    this.#call?.cancel();
    this.#rest();
  }

  tick(now: number): void {
    if (this.#clock.stalled(now, this.#client)) this.#cut();
    else if (this.#ended) this.#rest();
    else if (!this.#startGate.isOpen) {
      if (now - this.#openedAt >= this.#services.streams.commitMs) this.#startGate.open();
    } else if (this.#clock.silent(now, this.#client)) this.#client.write(keepAliveComment);
  }

  async #run(): Promise<void> {
    const { lease, run, meta } = this.#begun;
    try {
      const finished = await runRounds(this.#services, this.#begun, (held) => this.#relay(held));
      if (this.#client.isOver) throw clientGone();
      await lease.keep(finished.record);
      this.#finish(finished);
    } catch (error) {
      // Before the answer, so that the message can be sent again at once, and before the run is over for a drain.
      await lease.abandon();
      this.#fail(error);
    } finally {
      run.end();
      meta.report.close(this.#services);
    }
  }

  async #relay(held: Held): Promise<NormalizedCompletion> {
    requireClient(this.#services, held, this.#client.isOver);
    this.#call = new RelayedCall(this.#services, held, (delta) => this.#show(delta));
    return await this.#call.completion();
  }

  /** False when the client is far behind, so that no more is wanted for now. */
  #show(delta: JsonObject): boolean {
    this.#write({ delta, finish_reason: null });
    this.#startGate.open();
    return this.#client.unread <= this.#behindBytes;
  }

  #write({ delta, finish_reason }: { readonly delta: JsonObject; readonly finish_reason: string | null }): void {
    const role = this.#roleIsOut ? {} : { role: "assistant" };
    this.#roleIsOut = true;
    const choices = [{ index: 0, delta: { ...role, ...delta }, finish_reason }];
    this.#client.write(encodeFrame({ ...envelope(this.#identity), choices }));
  }

  #finish({ reply, usage }: Finished): void {
    this.#write({ delta: {}, finish_reason: reply.finishReason });
    if (this.#services.streams.usageFrame === "always") {
      this.#client.write(encodeUsageFrame(this.#identity, usage));
    }
    this.#client.write(doneFrame);
    this.#startGate.open();
    this.#close();
  }

  #fail(cause: unknown): void {
    const error = asGatewayError(cause);
    this.#begun.meta.report.streamEnded(endingOf(error.code));
    if (this.#startGate.isOpen) this.#client.write(encodeErrorFrame(this.#identity, errorBody(error)));
    else this.#startGate.reject(error);
    this.#close();
  }

  /** The client took nothing for too long. */
  #cut(): void {
    this.#client.cut(new Error("The client took nothing for too long."));
    this.cancel();
  }

  #close(): void {
    this.#ended = true;
    this.#client.close(this.#behindBytes);
    this.#rest();
  }

  #rest(): void {
    if (this.#ended && !this.#client.isClosing) this.#services.ticker.delete(this);
  }
}

/** How a turn ended that its stream tells by an error frame. */
function endingOf(code: ErrorCode): Ending {
  if (code === "client_gone") return "client_gone";
  return code === "draining" ? "drained" : "upstream_failed";
}
