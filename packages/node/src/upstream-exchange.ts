import {
  type CallSignal,
  connectTimeout,
  sortBodyFailure,
  sortConnectFailure,
  type TransportRequest,
  type TransportResponse,
} from "@tollgate/core";
import type { Dispatcher } from "undici";
import { UpstreamBody } from "./upstream-body.ts";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/**
 * One request on its way through undici: settles the promise of the answer's head, then feeds its body. It is
 * undici's handler and the listener of the abort signal in one object, since one is made for every request.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly #signal: CallSignal;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #body: UpstreamBody | undefined;
  #connectTimer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(signal: CallSignal, resolve: (response: TransportResponse) => void, reject: (error: unknown) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
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
    this.#reject(connectTimeout());
  }

  handleEvent(): void {
    if (this.#controller !== undefined) this.#controller.abort(new Error("The request was aborted."));
    if (!this.#over) this.onResponseError();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#connectTimer);
    // undici gives the connection to the next request when this throws; to abort would close it.
    if (this.#over) throw new Error("The request ended before it was sent.");
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#body = new UpstreamBody(controller);
    this.#resolve(new UpstreamResponse(status, headers, this.#body));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    this.#body?.end();
  }

  onResponseError(_controller?: Dispatcher.DispatchController, error?: Error): void {
    if (this.#over) return;
    this.#end();
    if (this.#signal.aborted) this.#abort(this.#signal.reason);
    else if (this.#body === undefined) this.#reject(sortConnectFailure(error));
    else this.#body.fail(sortBodyFailure(error));
  }

  #abort(reason: unknown): void {
    if (this.#body === undefined) this.#reject(reason);
    else this.#body.abort(reason);
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#connectTimer);
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
