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
import { runAfterPoll } from "./run-after-poll.ts";
import { type BodySource, UpstreamBody } from "./upstream-body.ts";

/** What waits for the head of an answer. */
export interface HeadReceiver {
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One request on its way through undici: settles the promise of the answer's head, then feeds its body. It is
 * undici's handler, the source of the body and the listener of the abort signal in one object, since one is made for
 * every request. It has the callbacks that undici 7 and 8 both call.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler, BodySource, Waiting {
  position = -1;
  connectsUntil = 0;
  readonly #signal: CallSignal;
  readonly #progress: CallProgress | undefined;
  /** Undefined once the head was given away: the two would keep it for as long as the body flows. */
  #receiver: HeadReceiver | undefined;
  #response: UpstreamResponse | undefined;
  #body: UpstreamBody | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #isDue = false;

  constructor({ signal, progress }: TransportRequest, receiver: HeadReceiver) {
    this.#signal = signal;
    this.#progress = progress;
    this.#receiver = receiver;
  }

  /** Sends the request, at once or when it has a connection. */
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
    // undici gives the connection to the next request when this throws; to abort would close it.
    if (this.#over) throw new Error("The request ended before it was sent.");
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (status < 200) return;
    this.#sign();
    this.#body = new UpstreamBody(this);
    this.#response = new UpstreamResponse(status, headers, this.#body);
    this.#tellLater();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#sign();
    this.#body?.push(chunk);
    this.#tellLater();
  }

  onResponseEnd(): void {
    this.#end();
    this.#body?.end();
    this.#tellLater();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail(error);
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

  #fail(error?: Error): void {
    if (this.#over) return;
    this.#end();
    if (this.#body === undefined) {
      this.#receiver?.reject(this.#signal.aborted ? this.#signal.reason : classifyConnectFailure(error));
    } else if (this.#signal.aborted) {
      this.#body.abort(this.#signal.reason);
    } else {
      this.#body.fail(classifyBodyFailure(error));
      this.#tellLater();
    }
  }

  #sign(): void {
    if (this.#progress !== undefined) this.#progress.signs++;
  }

  #tellLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    runAfterPoll(this);
  }

  #end(): void {
    this.#over = true;
    connected(this);
    this.#signal.removeEventListener("abort", this);
  }
}

/** The headers of an answer as undici reads them: lower-case names, and a list where one came more than once. */
export type UpstreamHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of an upstream's answer, whose body has been decoded where it came compressed all the same. */
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

/** Something that waits for a connection. */
export interface Waiting extends Listed {
  /** When its wait ends, on the clock of `performance.now()`, which nobody sets. */
  readonly connectsUntil: number;
  /** Its wait has ended without a connection. */
  expire(): void;
}

const periodMs = 25;

/** What waits for a connection now: one timer for all of it, since undici lets even a request that finds an open one wait for a turn. */
const waiting = new IndexedSet<Waiting>();
let timer: NodeJS.Timeout | undefined;

/** Ends the wait at its time, or at most 25 ms after it. */
export function expectConnection(one: Waiting): void {
  waiting.add(one);
  timer ??= setInterval(look, periodMs);
}

/** It waits no longer. Idempotent. */
export function connected(one: Waiting): void {
  waiting.delete(one);
}

function look(): void {
  const now = performance.now();
  if (waiting.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
  for (const one of waiting.snapshot()) if (one.connectsUntil <= now) one.expire();
}
