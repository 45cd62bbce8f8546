import {
  type CallSignal,
  connectTimeout,
  sortBodyFailure,
  sortConnectFailure,
  type TransportRequest,
  type TransportResponse,
} from "@tollgate/core";
import type { Dispatcher } from "undici";
import { afterReading } from "./after-reading.ts";
import { UpstreamBody } from "./upstream-body.ts";

/** What waits for the head of an answer. */
export interface HeadReceiver {
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/**
 * One request on its way through undici: settles the promise of the answer's head, then feeds its body. It is
 * undici's handler and the listener of the abort signal in one object, since one is made for every request.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly #signal: CallSignal;
  /** Undefined once the head has come: the two would keep it for as long as the body flows. */
  #receiver: HeadReceiver | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #body: UpstreamBody | undefined;
  #connectTimer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(signal: CallSignal, receiver: HeadReceiver) {
    this.#signal = signal;
    this.#receiver = receiver;
  }

  /** Sends the request; one that finds an open connection is on it when this returns, and needs no timer. */
  start(dispatcher: Dispatcher, path: string, request: TransportRequest): void {
    this.#signal.addEventListener("abort", this);
    dispatcher.dispatch({ path, method: request.method, headers: request.headers, body: request.body ?? null }, this);
    if (this.#controller !== undefined || this.#over) return;
    this.#connectTimer = setTimeout(connectExpired, request.connectMs, this);
  }

  /** Ends the request because no connection came in time. */
  expire(): void {
    this.#end();
    this.#receiver?.reject(connectTimeout());
  }

  handleEvent(): void {
    if (this.#controller !== undefined) this.#controller.abort(new Error("The request was aborted."));
    if (!this.#over) this.onResponseError();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#stopTimer();
    // undici gives the connection to the next request when this throws; to abort would close it.
    if (this.#over) throw new Error("The request ended before it was sent.");
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    const receiver = this.#receiver;
    const body = new UpstreamBody(controller);
    this.#body = body;
    this.#receiver = undefined;
    // The same headers once more, each a view of what was read from the socket, and kept as long as the controller.
    controller.rawHeaders = null;
    afterReading(() => receiver?.resolve(new UpstreamResponse(status, headers, body)));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#later((body) => body.push(chunk));
  }

  onResponseEnd(): void {
    this.#end();
    this.#later((body) => body.end());
  }

  onResponseError(_controller?: Dispatcher.DispatchController, error?: Error): void {
    if (this.#over) return;
    this.#end();
    if (this.#signal.aborted) this.#abort(this.#signal.reason);
    else if (this.#body === undefined) this.#receiver?.reject(sortConnectFailure(error));
    else this.#later((body) => body.fail(sortBodyFailure(error)));
  }

  /** A sink that throws, as the response of a host can that has wrapped it, fails its own request and not the process. */
  #later(tell: (body: UpstreamBody) => void): void {
    const body = this.#body;
    if (body === undefined) return;
    afterReading(() => {
      try {
        tell(body);
      } catch (cause) {
        this.#controller?.abort(cause instanceof Error ? cause : new Error(String(cause)));
      }
    });
  }

  #abort(reason: unknown): void {
    if (this.#body === undefined) this.#receiver?.reject(reason);
    else this.#body.abort(reason);
  }

  #stopTimer(): void {
    if (this.#connectTimer === undefined) return;
    clearTimeout(this.#connectTimer);
    this.#connectTimer = undefined;
  }

  #end(): void {
    this.#over = true;
    this.#stopTimer();
    this.#signal.removeEventListener("abort", this);
  }
}

class UpstreamResponse implements TransportResponse {
  readonly status: number;
  readonly body: UpstreamBody;
  readonly #headers: Headers;

  constructor(status: number, headers: Headers, body: UpstreamBody) {
    this.status = status;
    this.#headers = headers;
    this.body = body;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}

const connectExpired = (exchange: UpstreamExchange) => exchange.expire();
