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
import type { ActiveTurn } from "./begin-turn.ts";
import { RelayedCall } from "./relayed-call.ts";
import { type FinishedTurn, runRounds } from "./run-rounds.ts";
import { turnIdentity } from "./turn-identity.ts";

/** The streamed response of one turn: the content of all rounds as one stream. */
export class TurnStream implements ResponseStream, Watched {
  position = -1;
  readonly #services: AssistantServices;
  readonly #turn: ActiveTurn;
  readonly #identity: StreamIdentity;
  readonly #client: ClientSide;
  readonly #clock: ClientClock;
  readonly #startGate = new ResponseStartGate();
  readonly #openedAt = Date.now();
  readonly #behindBytes: number;
  #call: RelayedCall | undefined;
  #roleSent = false;
  #ended = false;

  constructor(services: AssistantServices, turn: ActiveTurn) {
    this.#services = services;
    this.#turn = turn;
    this.#identity = turnIdentity(turn);
    this.#client = new ClientSide(services.buffers);
    this.#clock = new ClientClock(services.streams);
    this.#behindBytes = services.streams.maxBufferedBytesPerStream / 4;
    turn.request.signal.addEventListener("abort", () => this.cancel());
    services.ticker.add(this);
    turn.meta.report.open();
    const running = this.#run();
    turn.request.waitUntil?.(running);
  }

  /** Resolves when status and headers may be sent. Rejects with the error for a client that has been sent nothing. */
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
    this.#call?.resume();
    this.#stopTicking();
  }

  /** The client has left: cancels the running model call, and lets running webhooks finish. */
  cancel(): void {
    this.#client.leave();
    this.#startGate.reject(clientGone());
    this.#call?.cancel();
    this.#stopTicking();
  }

  tick(now: number): void {
    if (this.#clock.stalled(now, this.#client)) this.#cut();
    else if (this.#ended) this.#stopTicking();
    else if (!this.#startGate.isOpen) {
      if (now - this.#openedAt >= this.#services.streams.responseStartTimeoutMs) this.#startGate.open();
    } else if (this.#clock.silent(now, this.#client)) this.#client.write(keepAliveComment);
  }

  async #run(): Promise<void> {
    const { lease, run, meta } = this.#turn;
    try {
      const finished = await runRounds(this.#services, this.#turn, (held) => this.#callModel(held));
      if (this.#client.isOver) throw clientGone();
      await lease.commit(finished.record);
      this.#finish(finished);
    } catch (error) {
      // Before the error frame, so that the client can retry at once, and before `run.end`, for which a drain waits.
      await lease.abandon();
      this.#fail(error);
    } finally {
      run.end();
      meta.report.close(this.#services);
    }
  }

  async #callModel(held: Held): Promise<NormalizedCompletion> {
    requireClient(this.#services, held, this.#client.isOver);
    this.#call = new RelayedCall(this.#services, held, (delta) => this.#writeDelta(delta));
    return await this.#call.completion();
  }

  /** Returns false when the client reads too slowly, so that the upstream is to be paused. */
  #writeDelta(delta: JsonObject): boolean {
    this.#writeFrame({ delta, finish_reason: null });
    this.#startGate.open();
    return this.#client.unread <= this.#behindBytes;
  }

  #writeFrame({ delta, finish_reason }: { readonly delta: JsonObject; readonly finish_reason: string | null }): void {
    const role = this.#roleSent ? {} : { role: "assistant" };
    this.#roleSent = true;
    const choices = [{ index: 0, delta: { ...role, ...delta }, finish_reason }];
    this.#client.write(encodeFrame({ ...envelope(this.#identity), choices }));
  }

  #finish({ reply, usage }: FinishedTurn): void {
    this.#writeFrame({ delta: {}, finish_reason: reply.finishReason });
    if (this.#services.streams.usageFrame === "always") {
      this.#client.write(encodeUsageFrame(this.#identity, usage));
    }
    this.#client.write(doneFrame);
    this.#startGate.open();
    this.#close();
  }

  #fail(thrown: unknown): void {
    const error = asGatewayError(thrown);
    this.#turn.meta.report.streamEnded(endingOf(error.code));
    if (this.#startGate.isOpen) this.#client.write(encodeErrorFrame(this.#identity, errorBody(error)));
    else this.#startGate.reject(error);
    this.#close();
  }

  /** Closes the connection of a client that has stopped reading. */
  #cut(): void {
    this.#client.cut(new Error("The client did not read the stream in time."));
    this.cancel();
  }

  #close(): void {
    this.#ended = true;
    this.#client.close(this.#behindBytes);
    this.#stopTicking();
  }

  #stopTicking(): void {
    if (this.#ended && !this.#client.isClosing) this.#services.ticker.delete(this);
  }
}

/** The reported ending of a stream that ends with this error. */
function endingOf(code: ErrorCode): Ending {
  if (code === "client_gone") return "client_gone";
  return code === "draining" ? "drained" : "upstream_failed";
}
