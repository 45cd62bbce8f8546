import type { Attributes, Context, Tracer } from "@opentelemetry/api";
import type { GatewayEvent } from "@tollgate/core";
import { dialectEndpoints } from "@tollgate/core/internal";
import { attribute } from "./conventions.ts";
import { attemptDimensions, turnDimensions, webhookDimensions } from "./dimensions.ts";
import type { CallEvent, EndEvent, FailedAttemptEvent, ModelCallEvent, WebhookEvent } from "./events.ts";
import type { Instruments } from "./instruments.ts";
import { measureCall } from "./measure-call.ts";
import { PerRequest } from "./per-request.ts";
import type { ProviderName } from "./provider-name.ts";
import { RequestParents } from "./request-parents.ts";
import { type AttemptedCall, recordCall, recordTurn, recordWebhook } from "./spans.ts";
import type { AllSeries } from "./target-series.ts";

/** What a recorder writes to. */
export interface Telemetry {
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  readonly series: AllSeries;
  readonly providerName: ProviderName;
}

const modelEndpoints: ReadonlySet<string> = new Set(Object.values(dialectEndpoints).map(({ name }) => name));
const turnEndpoint = "sessions.messages.create";

/** Records events as spans and metrics. */
export class Recorder {
  readonly #telemetry: Telemetry;
  readonly #parents = new RequestParents();
  /** The failed attempts of the calls that run. */
  readonly #attempts = new PerRequest<FailedAttemptEvent>();
  /** Each records a span of a running turn. */
  readonly #ofTurns = new PerRequest<(turn: Context) => void>();

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  /** Records one event. A span is created when its operation has ended, so that nothing is left of lost events. */
  record(event: GatewayEvent): void {
    const { instruments, providerName } = this.#telemetry;
    switch (event.type) {
      case "request.started":
        this.#parents.remember(event.requestId);
        break;
      case "request.completed":
      case "request.refused":
        this.#requestEnded(event);
        break;
      case "model.called":
        this.#modelCalled(event);
        break;
      case "webhook.called":
        this.#webhookCalled(event);
        break;
      case "attempt.failed":
        instruments.failedAttempts.add(1, attemptDimensions(event, event.failure, providerName));
        this.#attempts.add(event.requestId, event);
        break;
      case "usage.dropped":
        instruments.events.add(event.count, { [attribute.event]: event.type });
        break;
      default:
        instruments.events.add(1, { [attribute.event]: event.type });
    }
  }

  /** Requests of other endpoints call no model. They are in the spans of the host's HTTP instrumentation. */
  #requestEnded(event: EndEvent): void {
    const parent = this.#parents.take(event.requestId);
    const failed = this.#attempts.take(event.requestId);
    if (event.endpoint === turnEndpoint) this.#turnEnded(event, parent);
    else if (event.dialect !== undefined || modelEndpoints.has(event.endpoint)) {
      this.#recordCall({ event, failed }, this.#measure(event), parent);
    }
  }

  /** A model call of a turn, whose span is recorded within that of the turn. */
  #modelCalled(event: ModelCallEvent): void {
    const attributes = this.#measure(event);
    const call = { event, failed: this.#attempts.take(event.requestId) };
    this.#ofTurns.add(event.requestId, (turn) => this.#recordCall(call, attributes, turn));
  }

  #measure(event: CallEvent): Attributes {
    const { instruments, series } = this.#telemetry;
    const target = series.of(event);
    const withOutcome = target.withOutcome(event);
    measureCall(instruments, event, target, withOutcome);
    return withOutcome;
  }

  #recordCall(call: AttemptedCall, attributes: Attributes, parent: Context): void {
    const { tracer, providerName } = this.#telemetry;
    recordCall(tracer, call, attributes, parent, (target, failure) => attemptDimensions(target, failure, providerName));
  }

  #turnEnded(event: EndEvent, parent: Context): void {
    const { tracer, instruments } = this.#telemetry;
    const dimensions = turnDimensions(event);
    instruments.turnDuration.record(event.durationMs / 1_000, dimensions);
    const spans = this.#ofTurns.take(event.requestId);
    recordTurn(tracer, event, dimensions, parent, (turn) => {
      for (const record of spans) record(turn);
    });
  }

  #webhookCalled(event: WebhookEvent): void {
    const { tracer, instruments } = this.#telemetry;
    const dimensions = webhookDimensions(event);
    instruments.webhookDuration.record(event.durationMs / 1_000, dimensions);
    this.#ofTurns.add(event.requestId, (turn) => recordWebhook(tracer, event, dimensions, turn));
  }
}
