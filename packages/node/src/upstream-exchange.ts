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
import { connected, expectConnection, type Waiting } from "./connecting.ts";
import { type BodySource, UpstreamBody } from "./upstream-body.ts";
import { UpstreamResponse } from "./upstream-response.ts";

/** What waits for the head of an answer. */
export interface HeadReceiver {
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One request on its way through undici: settles the promise of the answer's head, then feeds its body. It is
 * undici's handler, the source of the body and the listener of the abort signal in one object, since one is made for
 * every request. It has the callbacks that undici 7 calls itself, since around those of its new interface it puts two
 * objects more, and reads all headers of the answer, which costs a request some 5%.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler, BodySource, Waiting {
  position = -1;
  connectsUntil = 0;
  paused = false;
  readonly #signal: CallSignal;
  /** Undefined once the head was given away: the two would keep it for as long as the body flows. */
  #receiver: HeadReceiver | undefined;
  #response: UpstreamResponse | undefined;
  #body: UpstreamBody | undefined;
  #cutOff: ((cause: Error) => void) | undefined;
  #readOn: (() => void) | undefined;
  #over = false;
  #isDue = false;

  constructor(signal: CallSignal, receiver: HeadReceiver) {
    this.#signal = signal;
    this.#receiver = receiver;
  }

  /** Sends the request, at once or when it has a connection. */
  start(dispatcher: Dispatcher, path: string, request: TransportRequest): void {
    this.#signal.addEventListener("abort", this);
    dispatcher.dispatch({ path, method: request.method, headers: request.headers, body: request.body ?? null }, this);
    if (this.#cutOff !== undefined || this.#over) return;
    this.connectsUntil = performance.now() + request.connectMs;
    expectConnection(this);
  }

  expire(): void {
    this.#end();
    this.#receiver?.reject(connectTimeout());
  }

  handleEvent(): void {
    this.abort(new Error("The request was aborted."));
    if (!this.#over) this.onError();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.#readOn?.();
  }

  abort(cause: Error): void {
    this.#cutOff?.(cause);
  }

  onConnect(cutOff: (cause?: Error) => void): void {
    connected(this);
    // undici gives the connection to the next request when this throws; to cut off would close it.
    if (this.#over) throw new Error("The request ended before it was sent.");
    this.#cutOff = cutOff;
  }

  onHeaders(status: number, headers: Buffer[], readOn: () => void): boolean {
    if (status < 200) return true;
    this.#readOn = readOn;
    this.#body = new UpstreamBody(this);
    this.#response = new UpstreamResponse(status, headers, this.#body);
    this.#tellLater();
    return !this.paused;
  }

  onData(chunk: Buffer): boolean {
    this.#body?.push(chunk);
    this.#tellLater();
    return !this.paused;
  }

  onComplete(): void {
    this.#end();
    this.#body?.end();
    this.#tellLater();
  }

  onError(error?: Error): void {
    if (this.#over) return;
    this.#end();
    if (this.#body === undefined) {
      this.#receiver?.reject(this.#signal.aborted ? this.#signal.reason : sortConnectFailure(error));
    } else if (this.#signal.aborted) {
      this.#body.abort(this.#signal.reason);
    } else {
      this.#body.fail(sortBodyFailure(error));
      this.#tellLater();
    }
  }

  /** Tells what came in one turn of the event loop. */
  work(): void {
    this.#isDue = false;
    const receiver = this.#receiver;
    if (receiver !== undefined && this.#response !== undefined) {
      this.#receiver = undefined;
      receiver.resolve(this.#response);
      this.#response = undefined;
    }
    try {
      this.#body?.deliver();
    } catch (cause) {
      // A sink that throws, as the response of a host can that has wrapped it, fails its own request and not the process.
      this.abort(cause instanceof Error ? cause : new Error(String(cause)));
      // What else waits, be it only the end, is told all the same.
      this.#tellLater();
    }
  }

  #tellLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    afterReading(this);
  }

  #end(): void {
    this.#over = true;
    connected(this);
    this.#signal.removeEventListener("abort", this);
  }
}
