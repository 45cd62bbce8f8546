import { errorKind } from "../errors/error-table.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { CallReport, Ending, Observer } from "../ports/observer.ts";
import { sumCalls } from "./sum-calls.ts";

/** The members of Services that reports use. */
interface Observing {
  readonly observe: Observer;
  /** False without the option `observer`: only refusals are reported then. */
  readonly observed: boolean;
}

/** The response to a request, for its end event. */
type Outcome = { readonly status: number } | { readonly refused: GatewayError };

/**
 * Reports the start of a request, and its end exactly once: after it was answered or refused, its stream ended, and
 * every model call was charged.
 */
export class RequestReport {
  readonly #requestId: string;
  readonly #startedAt: number;
  keyId: string | undefined;
  account: string | undefined;
  #endpoint = "unknown";
  #outcome: Outcome | undefined;
  #ending: Ending | undefined;
  #calls: CallReport | undefined;
  /** Counts the response itself, and each stream and charge that has not ended. */
  #open = 1;

  constructor(requestId: string, startedAt: number) {
    this.#requestId = requestId;
    this.#startedAt = startedAt;
  }

  /** Reports the start of the request. */
  start({ observe, observed }: Observing, endpoint: string | undefined): void {
    if (endpoint !== undefined) this.#endpoint = endpoint;
    if (!observed) return;
    observe({
      type: "request.started",
      at: this.#startedAt,
      requestId: this.#requestId,
      endpoint: this.#endpoint,
    });
  }

  /** Delays the end event for one more stream or charge, until {@link close}. */
  open(): void {
    this.#open += 1;
  }

  /** Records that a stream or charge of {@link open}, or the response itself, has ended. */
  close(observing: Observing): void {
    this.#open -= 1;
    if (this.#open === 0 && this.#outcome !== undefined) this.#end(observing, this.#outcome);
  }

  /** Records that a model call was charged. */
  charge(call: CallReport, ending: Ending): void {
    this.#calls = this.#calls === undefined ? call : sumCalls(this.#calls, call);
    this.#ending = ending;
  }

  /** Records how a stream ended, after its status was sent. */
  streamEnded(ending: Ending): void {
    this.#ending = ending;
  }

  /** Records that the request was answered with this status. */
  answer(observing: Observing, status: number): void {
    this.#outcome = { status };
    this.close(observing);
  }

  /** Records that the request was answered with an error. */
  refuse(observing: Observing, refused: GatewayError): void {
    this.#outcome = { refused };
    this.close(observing);
  }

  #end({ observe, observed }: Observing, outcome: Outcome): void {
    if ("refused" in outcome) observe(this.#refusal(outcome.refused));
    else if (observed)
      observe({ type: "request.completed", status: outcome.status, ...this.#common(this.#ending ?? "complete") });
  }

  #refusal({ code, details: { cause } }: GatewayError) {
    const { status } = errorKind(code);
    return {
      type: "request.refused" as const,
      status,
      code,
      ...this.#common(this.#ending === "complete" ? "refused" : (this.#ending ?? "refused")),
      ...(cause === undefined ? {} : { cause }),
    };
  }

  #common(ending: Ending) {
    const at = Date.now();
    return {
      at,
      requestId: this.#requestId,
      endpoint: this.#endpoint,
      durationMs: at - this.#startedAt,
      ending,
      ...(this.keyId === undefined ? {} : { keyId: this.keyId }),
      ...(this.account === undefined ? {} : { account: this.account }),
      ...this.#calls,
    };
  }
}
