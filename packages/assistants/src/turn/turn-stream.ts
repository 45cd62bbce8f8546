import { requireClient } from "../../answering/call/bill.ts";
import { type ClientListener, StreamBody } from "../../answering/stream/stream-body.ts";
import { clientGone } from "../../errors/ended-early.ts";
import { asGatewayError, errorBody } from "../../errors/error-body.ts";
import type { ErrorCode } from "../../errors/error-table.ts";
import type { Ending } from "../../ports/observer.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Watched } from "../../runtime/shared-ticker.ts";
import type { StreamIdentity } from "../../streaming/answer-translator.ts";
import { doneFrame, encodeErrorFrame, encodeFrame, encodeUsageFrame, envelope } from "../../streaming/frames.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { NormalizedCompletion } from "../../wire/normalize-completion.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { ActiveTurn } from "./begin-turn.ts";
import { RelayedCall } from "./relayed-call.ts";
import { type FinishedTurn, runRounds } from "./run-rounds.ts";
import { turnIdentity } from "./turn-identity.ts";

/** The streamed response of one turn: the content of all rounds as one stream. */
export class TurnStream implements ClientListener, Watched {
  position = -1;
  /** The body of the response. */
  readonly body: StreamBody;
  readonly #services: AssistantServices;
  readonly #turn: ActiveTurn;
  readonly #identity: StreamIdentity;
  #call: RelayedCall | undefined;
  #roleSent = false;
  #ended = false;

  constructor(services: AssistantServices, turn: ActiveTurn) {
    this.#services = services;
    this.#turn = turn;
    this.#identity = turnIdentity(turn);
    this.body = new StreamBody(services, this);
    const { request, report } = turn.admission.exchange;
    request.signal.addEventListener("abort", () => this.body.cancel());
    services.ticker.add(this);
    report.open();
    const running = this.#run();
    request.waitUntil?.(running);
  }

  onDrain(): void {
    this.#call?.onDrain();
  }

  /** Cancels the running model call, and lets running webhooks finish. */
  onLeave(): void {
    this.#call?.cancel();
  }

  tick(now: number): void {
    if (!this.body.cutIfStalled(now) && !this.#ended) this.body.keepAlive(now, false);
  }

  async #run(): Promise<void> {
    const { admission, lease } = this.#turn;
    try {
      const finished = await runRounds(this.#services, this.#turn, (paid) => this.#callModel(paid));
      if (this.body.isOver) throw clientGone();
      await lease.commit(finished.record);
      this.#finish(finished);
    } catch (error) {
      // Before the error frame, so that the client can retry at once, and before the slot is released, for which a drain waits.
      await lease.abandon();
      this.#fail(error);
    } finally {
      admission.slot.release();
      admission.exchange.report.close(this.#services);
    }
  }

  async #callModel(paid: PaidCall): Promise<NormalizedCompletion> {
    requireClient(this.#services, paid, this.body.isOver);
    this.#call = new RelayedCall(this.#services, paid, (delta) => this.#writeDelta(delta));
    return await this.#call.completion();
  }

  /** Returns false when the client reads too slowly, so that the model's stream is paused. */
  #writeDelta(delta: JsonObject): boolean {
    this.#writeFrame({ delta, finish_reason: null });
    return !this.body.isBehind;
  }

  #writeFrame({ delta, finish_reason }: { readonly delta: JsonObject; readonly finish_reason: string | null }): void {
    const role = this.#roleSent ? {} : { role: "assistant" };
    this.#roleSent = true;
    const choices = [{ index: 0, delta: { ...role, ...delta }, finish_reason }];
    this.body.write(encodeFrame({ ...envelope(this.#identity), choices }));
  }

  #finish({ reply, usage }: FinishedTurn): void {
    this.#writeFrame({ delta: {}, finish_reason: reply.finishReason });
    if (this.#services.streams.usageFrame === "always") {
      this.body.write(encodeUsageFrame(this.#identity, usage));
    }
    this.body.write(doneFrame);
    this.#close();
  }

  #fail(thrown: unknown): void {
    const error = asGatewayError(thrown);
    this.#turn.admission.exchange.report.streamEnded(endingOf(error.code));
    if (this.body.isStarted) this.body.write(encodeErrorFrame(this.#identity, errorBody(error)));
    else this.body.refuse(error);
    this.#close();
  }

  #close(): void {
    this.#ended = true;
    this.body.close();
    void this.body.whenClosed().then(() => this.#services.ticker.delete(this));
  }
}

/** The ending that events report for a turn whose stream ends with an error. */
function endingOf(code: ErrorCode): Ending {
  if (code === "client_gone") return "client_gone";
  return code === "draining" ? "drained" : "upstream_failed";
}
