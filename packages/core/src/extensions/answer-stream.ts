import { requireClient } from "../answering/call/bill.ts";
import { type ClientListener, StreamBody } from "../answering/stream/stream-body.ts";
import { clientGone } from "../errors/call-errors.ts";
import type { ErrorCode } from "../errors/error-table.ts";
import { asGatewayError, errorBody } from "../errors/gateway-error.ts";
import { type GatewayResponse, streamHeaders } from "../ports/gateway-response.ts";
import type { ModelAnswer, ModelCalls, ModelRequest, OwnAnswer } from "../ports/model-calls.ts";
import type { Ending } from "../ports/observer.ts";
import type { Admission } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import type { Watched } from "../runtime/shared-ticker.ts";
import { doneFrame, encodeErrorFrame, encodeFrame, encodeUsageFrame, envelope } from "../upstream/frames.ts";
import type { AnswerIdentity } from "../wire/chat-completion.ts";
import type { JsonObject } from "../wire/json.ts";
import { sumUsage, type Usage } from "../wire/usage.ts";
import { identityOf, modelAnswer, type RunAnswer, requireRunning } from "./answer-json.ts";
import { payForOwnCall } from "./own-call.ts";
import { RelayedCall } from "./relayed-call.ts";

/** Runs an answer and streams the content of all its calls. An error before the first content rejects. */
export async function answerStream(
  services: Services,
  admission: Admission,
  model: string,
  run: RunAnswer,
): Promise<GatewayResponse> {
  const stream = new AnswerStream(services, admission, identityOf(admission, model));
  const running = stream.run(run);
  admission.exchange.request.waitUntil?.(running);
  await stream.body.started;
  return { status: 200, headers: { ...admission.exchange.headers, ...streamHeaders }, body: stream.body };
}

/** The streamed response of one answer: the content of all its calls as one stream. It has the slot until it ends. */
class AnswerStream implements ModelCalls, ClientListener, Watched {
  position = -1;
  /** The body of the response. */
  readonly body: StreamBody;
  readonly #services: Services;
  readonly #admission: Admission;
  readonly #identity: AnswerIdentity;
  #call: RelayedCall | undefined;
  #usage: Usage | undefined;
  #roleSent = false;
  #ended = false;

  constructor(services: Services, admission: Admission, identity: AnswerIdentity) {
    this.#services = services;
    this.#admission = admission;
    this.#identity = identity;
    this.body = new StreamBody(services, this);
    const { request, report } = admission.exchange;
    request.signal.addEventListener("abort", () => this.body.cancel());
    services.ticker.add(this);
    report.open();
    admission.slot.retain();
  }

  /** Never rejects. */
  async run(run: RunAnswer): Promise<void> {
    const { slot, exchange } = this.#admission;
    try {
      this.#finish(await run(this));
    } catch (error) {
      this.#fail(error);
    } finally {
      slot.release();
      exchange.report.close(this.#services);
    }
  }

  async call(request: ModelRequest): Promise<ModelAnswer> {
    const paid = await payForOwnCall(this.#services, this.#admission, request, true);
    requireClient(this.#services, paid, this.body.isOver);
    this.#call = new RelayedCall(this.#services, paid, (delta) => this.#writeDelta(delta));
    const completion = await this.#call.completion();
    this.#usage = sumUsage(this.#usage, completion.usage);
    return modelAnswer(completion);
  }

  requireClient(): void {
    if (this.body.isOver) throw clientGone();
  }

  requireRunning(): void {
    requireRunning(this.#admission);
  }

  onDrain(): void {
    this.#call?.onDrain();
  }

  /** Cancels the running call of a model. Other work of the answer goes on. */
  onLeave(): void {
    this.#call?.cancel();
  }

  tick(now: number): void {
    if (!this.body.cutIfStalled(now) && !this.#ended) this.body.keepAlive(now, false);
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

  #finish({ finishReason }: OwnAnswer): void {
    this.#writeFrame({ delta: {}, finish_reason: finishReason });
    if (this.#services.streams.usageFrame === "always") {
      this.body.write(encodeUsageFrame(this.#identity, sumUsage(this.#usage, undefined)));
    }
    this.body.write(doneFrame);
    this.#close();
  }

  #fail(thrown: unknown): void {
    const error = asGatewayError(thrown);
    this.#admission.exchange.report.streamEnded(endingOf(error.code));
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

/** The ending that events report for a stream that ends with an error. */
function endingOf(code: ErrorCode): Ending {
  if (code === "client_gone") return "client_gone";
  return code === "draining" ? "drained" : "upstream_failed";
}
