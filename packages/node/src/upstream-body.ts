import type { ByteSink, ByteStream } from "@tollgate/core/provider";

/** What the bytes of an answer come from. */
export interface BodySource {
  pause(): void;
  resume(): void;
  abort(cause: Error): void;
}

/** Bytes that may wait for the sink: a short answer arrives whole with its head, before anyone can ask for it. */
const longestWait = 65_536;

/** Shared by all, and never written to: a list of its own would outlive what was in it. */
const none: Uint8Array[] = [];

/** The body of one upstream answer: undici pushes into it, the sink pauses undici's socket. */
export class UpstreamBody implements ByteStream {
  readonly #source: BodySource;
  #sink: ByteSink | undefined;
  /** Most turns of the event loop bring one chunk, which needs no list. */
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
    if (this.#ending === undefined) this.#source.abort(new Error("The answer is no longer wanted."));
  }

  /** Takes bytes from undici, which keeps no hold of them, until they are delivered. */
  push(chunk: Uint8Array): void {
    if (this.#cancelled) return;
    if (this.#first === undefined) this.#first = chunk;
    else if (this.#others === none) this.#others = [chunk];
    else this.#others.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > longestWait && !this.#flows()) this.#source.pause();
  }

  /** The body has ended, which the sink is told after the bytes that wait. */
  end(): void {
    this.#ending ??= whole;
  }

  /** The body broke off, which the sink is told after the bytes that wait. */
  fail(cause: unknown): void {
    this.#ending ??= { failure: { cause } };
  }

  /** Tells the sink at once that the request was aborted; bytes that wait are dropped. */
  abort(reason: unknown): void {
    this.#forget();
    this.#paused = false;
    this.fail(reason);
    this.deliver();
  }

  /** Gives the sink what waits for it; never from within undici's parser, which could not resume another socket. */
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
