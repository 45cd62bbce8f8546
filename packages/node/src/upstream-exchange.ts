import { IndexedSet, type Listed } from "@tollgate/core/internal";
import {
  type ByteStream,
  type CallProgress,
  type CallSignal,
  classifyBodyFailure,
  classifyConnectFailure,
  connectTimeout,
  type TransportRequest,
  type TransportResponse,
} from "@tollgate/core/provider";
import type { Dispatcher } from "undici";
import { decodedBody } from "./decoded-body.ts";
import { type BodySource, runAfterPoll, UpstreamBody } from "./upstream-body.ts";

/** The resolvers of the promise for a response head. */
export interface HeadReceiver {
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One request sent through undici: settles the promise for the response head, then feeds the response body. One object
 * is undici's handler, the source of the body and the listener of the abort signal, to save allocations per request. It
 * implements the callbacks that both undici 7 and undici 8 call.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler, BodySource, Waiting {
  position = -1;
  connectsUntil = 0;
  readonly #signal: CallSignal;
  readonly #progress: CallProgress | undefined;
  /** Cleared once the head is delivered; otherwise it would stay in memory as long as the body is read. */
  #receiver: HeadReceiver | undefined;
  #response: UpstreamResponse | undefined;
  #body: UpstreamBody | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #isScheduled = false;

  constructor({ signal, progress }: TransportRequest, receiver: HeadReceiver) {
    this.#signal = signal;
    this.#progress = progress;
    this.#receiver = receiver;
  }

  /** Sends the request as soon as a connection is available. */
  start(dispatcher: Dispatcher, path: string, request: TransportRequest): void {
    this.#signal.addEventListener("abort", this);
    dispatcher.dispatch({ path, method: request.method, headers: request.headers, body: request.body ?? null }, this);
    if (this.#controller !== undefined || this.#over) return;
    this.connectsUntil = performance.now() + request.connectMs;
    expectConnection(this);
  }

  expire(): void {
    this.#end();
    this.#receiver?.reject(connectTimeout());
  }

  handleEvent(): void {
    this.abort(new Error("The request was aborted."));
    if (!this.#over) this.#fail();
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(cause: Error): void {
    this.#controller?.abort(cause);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    connected(this);
    // When this throws, undici uses the connection for the next request. Calling abort would close it.
    if (this.#over) throw new Error("The request ended before it was sent.");
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (status < 200) return;
    this.#reportProgress();
    this.#body = new UpstreamBody(this);
    this.#response = new UpstreamResponse(status, headers, this.#body);
    this.#deliverLater();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#reportProgress();
    this.#body?.push(chunk);
    this.#deliverLater();
  }

  onResponseEnd(): void {
    this.#end();
    this.#body?.end();
    this.#deliverLater();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail(error);
  }

  /** Delivers what arrived in one iteration of the event loop. */
  work(): void {
    this.#isScheduled = false;
    const receiver = this.#receiver;
    if (receiver !== undefined && this.#response !== undefined) {
      this.#receiver = undefined;
      receiver.resolve(this.#response);
      this.#response = undefined;
    }
    try {
      this.#body?.deliver();
    } catch (cause) {
      // A sink may throw, for example if the host has wrapped the response. Only its request fails, not the process.
      this.abort(cause instanceof Error ? cause : new Error(String(cause)));
      // The remaining bytes and the end are still delivered.
      this.#deliverLater();
    }
  }

  #fail(error?: Error): void {
    if (this.#over) return;
    this.#end();
    if (this.#body === undefined) {
      this.#receiver?.reject(this.#signal.aborted ? this.#signal.reason : classifyConnectFailure(error));
    } else if (this.#signal.aborted) {
      this.#body.abort(this.#signal.reason);
    } else {
      this.#body.fail(classifyBodyFailure(error));
      this.#deliverLater();
    }
  }

  #reportProgress(): void {
    if (this.#progress !== undefined) this.#progress.activity++;
  }

  #deliverLater(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    runAfterPoll(this);
  }

  #end(): void {
    this.#over = true;
    connected(this);
    this.#signal.removeEventListener("abort", this);
  }
}

/** Response headers as undici returns them: lowercase names, and an array for a header that occurs more than once. */
export type UpstreamHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of an upstream response. A compressed body is decoded, and its `content-encoding` header is hidden. */
export class UpstreamResponse implements TransportResponse {
  readonly status: number;
  readonly body: ByteStream;
  readonly #headers: UpstreamHeaders;
  readonly #isDecoded: boolean;

  constructor(status: number, headers: UpstreamHeaders, body: ByteStream) {
    const encoding = headers["content-encoding"];
    const decoded = typeof encoding === "string" ? decodedBody(body, encoding) : undefined;
    this.status = status;
    this.body = decoded ?? body;
    this.#headers = headers;
    this.#isDecoded = decoded !== undefined;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    if (value === undefined || (this.#isDecoded && name === "content-encoding")) return undefined;
    return typeof value === "string" ? value : value.join(", ");
  }
}

/** A request that waits for a connection. */
export interface Waiting extends Listed {
  /** The deadline on the monotonic clock of `performance.now()`, in milliseconds. */
  readonly connectsUntil: number;
  /** Called when the deadline passes without a connection. */
  expire(): void;
}

const periodMs = 25;

/**
 * Requests without a connection. They share one timer, because undici starts even a request with an open connection
 * asynchronously.
 */
const waiting = new IndexedSet<Waiting>();
let timer: NodeJS.Timeout | undefined;

/** Calls `expire` at the deadline, or at most 25 ms after it, unless `connected` is called before. */
export function expectConnection(request: Waiting): void {
  waiting.add(request);
  timer ??= setInterval(expireOverdue, periodMs);
}

/** Stops the wait for a connection. Idempotent. */
export function connected(request: Waiting): void {
  waiting.delete(request);
}

function expireOverdue(): void {
  const now = performance.now();
  if (waiting.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
  for (const request of waiting.snapshot()) if (request.connectsUntil <= now) request.expire();
}
