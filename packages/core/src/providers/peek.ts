import type { ByteSink, ByteStream } from "../ports/byte-stream.ts";
import { joinBytes } from "../wire/join-bytes.ts";

/** The beginning of a stream, and the whole stream from its first byte on. */
export interface Peeked {
  /** The bytes up to and with the first chunk that has something else than white space and a byte order mark; empty at the end of an empty stream. */
  readonly start: Uint8Array;
  readonly stream: ByteStream;
}

/** Looks at the beginning of a stream and pauses it there. Throws what the stream fails with before that. */
export function peek(source: ByteStream): Promise<Peeked> {
  return new Promise((resolve, reject) => {
    const stream = new PeekedStream(source, (start, failure) => {
      if (failure === undefined) resolve({ start, stream });
      else reject(failure.cause);
    });
    source.pipeTo(stream);
  });
}

const longestWhiteSpace = 65_536;

type Report = (start: Uint8Array, failure: { readonly cause: unknown } | undefined) => void;

class PeekedStream implements ByteStream, ByteSink {
  readonly #source: ByteStream;
  #report: Report | undefined;
  #sink: ByteSink | undefined;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #ending: ((sink: ByteSink) => void) | undefined;
  #paused = false;
  #cancelled = false;

  constructor(source: ByteStream, report: Report) {
    this.#source = source;
    this.#report = report;
  }

  write(chunk: Uint8Array): void {
    if (this.#sink !== undefined) this.#sink.write(chunk);
    else this.#hold(chunk);
  }

  #hold(chunk: Uint8Array): void {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (chunk.every(saysNothing) && this.#heldBytes < longestWhiteSpace) return;
    this.#source.pause();
    this.#seen(undefined);
  }

  close(): void {
    this.#end((sink) => sink.close());
    this.#seen(undefined);
  }

  fail(cause: unknown): void {
    this.#end((sink) => sink.fail(cause));
    this.#seen({ cause });
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    if (this.#heldBytes > 0) sink.write(joinBytes(this.#held.splice(0)));
    if (this.#cancelled) return;
    if (this.#ending !== undefined) this.#ending(sink);
    else if (!this.#paused) this.#source.resume();
  }

  pause(): void {
    this.#paused = true;
    this.#source.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#sink !== undefined) this.#source.resume();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#source.cancel();
  }

  #seen(failure: { readonly cause: unknown } | undefined): void {
    const report = this.#report;
    this.#report = undefined;
    report?.(joinBytes(this.#held), failure);
  }

  #end(ending: (sink: ByteSink) => void): void {
    if (this.#sink === undefined) this.#ending = ending;
    else ending(this.#sink);
  }
}

/** White space, or a byte of the byte order mark, which can come in pieces too. */
const saysNothing = (byte: number) => nothings.includes(byte);
const nothings = [0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf];
