import type { ByteSink, ByteStream } from "@tollgate/core";
import type { Dispatcher } from "undici";

/** Bytes that may wait for the sink: a short answer arrives whole with its head, before anyone can ask for it. */
const longestWait = 65_536;

/** Shared by all, and never written to: a list of its own would outlive what was in it. */
const none: Uint8Array[] = [];

/** The body of one upstream answer: undici pushes into it, the sink pauses undici's socket. */
export class UpstreamBody implements ByteStream {
  readonly #controller: Dispatcher.DispatchController;
  #sink: ByteSink | undefined;
  #waiting: Uint8Array[] = none;
  #waitingBytes = 0;
  #paused = false;
  #draining = false;
  #cancelled = false;
  #ending: { readonly failure?: { readonly cause: unknown } } | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  flow(sink: ByteSink): void {
    this.#sink = sink;
    this.#drain();
    this.#continue();
  }

  pause(): void {
    this.#paused = true;
    this.#controller.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#drain();
    this.#continue();
  }

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#waiting = none;
    if (this.#ending === undefined) this.#controller.abort(new Error("The answer is no longer wanted."));
  }

  /** Takes bytes from undici, which keeps no hold of them; never from within its parser, which could not resume another socket. */
  push(chunk: Uint8Array): void {
    if (this.#cancelled) return;
    if (this.#sink === undefined || this.#paused || this.#waiting.length > 0) this.#keep(chunk);
    else this.#sink.write(chunk);
  }

  /** Tells the sink, after the bytes that wait, that the body has ended. */
  end(): void {
    this.#ending ??= {};
    this.#drain();
  }

  /** Tells the sink, after the bytes that wait, that the body broke off. */
  fail(cause: unknown): void {
    this.#ending ??= { failure: { cause } };
    this.#drain();
  }

  /** Tells the sink at once that the request was aborted; bytes that wait are dropped. */
  abort(reason: unknown): void {
    this.#waiting = none;
    this.#paused = false;
    this.fail(reason);
  }

  #keep(chunk: Uint8Array): void {
    if (this.#waiting === none) this.#waiting = [chunk];
    else this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > longestWait) this.#controller.pause();
  }

  #drain(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#draining) return;
    this.#draining = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) sink.write(next);
    } finally {
      this.#draining = false;
    }
    if (this.#waiting.length > 0) return;
    this.#waiting = none;
    this.#finish(sink);
  }

  #next(): Uint8Array | undefined {
    const next = this.#paused || this.#cancelled ? undefined : this.#waiting.shift();
    this.#waitingBytes -= next?.length ?? 0;
    return next;
  }

  #finish(sink: ByteSink): void {
    const ending = this.#ending;
    if (ending === undefined || this.#cancelled) return;
    this.#cancelled = true;
    if (ending.failure === undefined) sink.close();
    else sink.fail(ending.failure.cause);
  }

  #continue(): void {
    if (this.#wantsMore() && this.#controller.paused) this.#controller.resume();
  }

  #wantsMore(): boolean {
    return !this.#paused && !this.#draining && !this.#cancelled && this.#ending === undefined;
  }
}
