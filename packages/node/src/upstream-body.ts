import type { ByteSink, ByteStream } from "@tollgate/core/provider";

/** Controls the connection that delivers a response body. */
export interface BodySource {
  pause(): void;
  resume(): void;
  abort(cause: Error): void;
}

/** Above this number of buffered bytes the source is paused. A short response arrives before a sink is attached. */
const maxBufferedBytes = 65_536;

/** Shared by all bodies and never modified, so that a body without further chunks needs no array. */
const none: Uint8Array[] = [];

/** The body of one upstream response. undici pushes chunks into it; the sink can pause undici's socket. */
export class UpstreamBody implements ByteStream {
  readonly #source: BodySource;
  #sink: ByteSink | undefined;
  /** Most event loop iterations deliver one chunk, which needs no array. */
  #first: Uint8Array | undefined;
  #others: Uint8Array[] = none;
  #waitingBytes = 0;
  #paused = false;
  #draining = false;
  #cancelled = false;
  #ending: { readonly failure?: { readonly cause: unknown } } | undefined;

  constructor(source: BodySource) {
    this.#source = source;
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    this.deliver();
  }

  pause(): void {
    this.#paused = true;
    this.#source.pause();
  }

  resume(): void {
    this.#paused = false;
    this.deliver();
  }

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#forget();
    if (this.#ending === undefined) this.#source.abort(new Error("The response body was cancelled."));
  }

  /** Buffers bytes from undici until they are delivered. undici keeps no reference to them. */
  push(chunk: Uint8Array): void {
    if (this.#cancelled) return;
    if (this.#first === undefined) this.#first = chunk;
    else if (this.#others === none) this.#others = [chunk];
    else this.#others.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > maxBufferedBytes && !this.#flows()) this.#source.pause();
  }

  /** Marks the body as complete. The sink is closed after the buffered bytes. */
  end(): void {
    this.#ending ??= whole;
  }

  /** Marks the body as failed. The sink receives the failure after the buffered bytes. */
  fail(cause: unknown): void {
    this.#ending ??= { failure: { cause } };
  }

  /** Fails the sink at once because the request was aborted. Discards buffered bytes. */
  abort(reason: unknown): void {
    this.#forget();
    this.#paused = false;
    this.fail(reason);
    this.deliver();
  }

  /**
   * Writes the buffered bytes to the sink. Must not be called from undici's parser, where another socket cannot be
   * resumed.
   */
  deliver(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#draining) return;
    this.#draining = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) sink.write(next);
    } finally {
      this.#draining = false;
    }
    if (this.#first === undefined) this.#finish(sink);
    this.#continue();
  }

  #next(): Uint8Array | undefined {
    const next = this.#first;
    if (next === undefined || this.#paused || this.#cancelled) return undefined;
    this.#first = this.#others.shift();
    if (this.#first === undefined) this.#others = none;
    this.#waitingBytes -= next.length;
    return next;
  }

  #forget(): void {
    this.#first = undefined;
    this.#others = none;
    this.#waitingBytes = 0;
  }

  #finish(sink: ByteSink): void {
    const ending = this.#ending;
    if (ending === undefined || this.#cancelled) return;
    this.#cancelled = true;
    if (ending.failure === undefined) sink.close();
    else sink.fail(ending.failure.cause);
  }

  #continue(): void {
    if (this.#flows() && !this.#draining && !this.#cancelled && this.#ending === undefined) this.#source.resume();
  }

  #flows(): boolean {
    return this.#sink !== undefined && !this.#paused;
  }
}

const whole = {};

/** A function, or an object whose `work` method is called. The object form avoids allocating a closure. */
export type Work = (() => void) | { work(): void };

let waiting: Work[] = [];

/**
 * Runs a callback after the poll phase of the event loop, when every readable socket has been read. All callbacks of
 * one iteration run in sequence, before the reactions of promises that they settle. This costs a request 10-25% less
 * CPU time than one `setImmediate` per callback. If a callback throws, the others still run.
 */
export function runAfterPoll(work: Work): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(runAll);
}

function runAll(): void {
  const all = waiting;
  let done = 0;
  waiting = [];
  try {
    for (const work of all) {
      done += 1;
      if (typeof work === "function") work();
      else work.work();
    }
  } finally {
    if (done < all.length) for (const work of all.slice(done)) runAfterPoll(work);
  }
}
