import { errorKind } from "../errors/error-table.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { CallReport, Ending, Observer } from "../ports/observer.ts";
import { sumCalls } from "./sum-calls.ts";

/** Where reports go. */
interface Observing {
  readonly observe: Observer;
  /** False when nobody observes, so that only refusals are worth an event. */
  readonly observed: boolean;
}

/** How a request ended, as far as its end event says it. */
type Outcome = { readonly status: number } | { readonly refused: GatewayError };

/**
 * Reports the start of a request, and its end exactly once: when it has been answered or refused, its stream has ended,
 * and every call of a model has been charged, whichever comes last.
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
  /** The answer itself, and each stream and charge that it waits for. */
  #open = 1;

  constructor(requestId: string, startedAt: number) {
    this.#requestId = requestId;
    this.#startedAt = startedAt;
  }

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

  /** The end of the request waits for one more stream or charge, until {@link close}. */
  open(): void {
    this.#open += 1;
  }

  /** One of those that {@link open} announced has ended, or the answer itself. */
  close(observing: Observing): void {
    this.#open -= 1;
    if (this.#open === 0 && this.#outcome !== undefined) this.#end(observing, this.#outcome);
  }

  /** A call of a model has been charged. */
  charge(call: CallReport, ending: Ending): void {
    this.#calls = this.#calls === undefined ? call : sumCalls(this.#calls, call);
    this.#ending = ending;
  }

  /** A stream ended in this way, after its status had gone out. */
  streamEnded(ending: Ending): void {
    this.#ending = ending;
  }

  /** The request is answered with this status. */
  answer(observing: Observing, status: number): void {
    this.#outcome = { status };
    this.close(observing);
  }

  /** The request is answered with an error. */
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
