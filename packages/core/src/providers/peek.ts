import type { ByteSink, ByteStream } from "../ports/byte-stream.ts";
import { joinBytes } from "../wire/bytes.ts";

/**
 * Reads the start of a stream, up to and including the first chunk with more than white space and a byte order mark, and pauses
 * it there. Resolves to these bytes, which are empty for an empty stream, and to the whole stream including them. Rejects if the
 * stream fails before.
 */
export function peek(source: ByteStream): Promise<{ readonly start: Uint8Array; readonly stream: ByteStream }> {
  return new Promise((resolve, reject) => {
    const stream = new PeekedStream(source, (start, failure) => {
      if (failure === undefined) resolve({ start, stream });
      else reject(failure.cause);
    });
    source.pipeTo(stream);
  });
}

const maxWhiteSpace = 65_536;

class PeekedStream implements ByteStream, ByteSink {
  readonly #source: ByteStream;
  #report: ((start: Uint8Array, failure: { readonly cause: unknown } | undefined) => void) | undefined;
  #sink: ByteSink | undefined;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #ending: ((sink: ByteSink) => void) | undefined;
  #paused = false;
  #cancelled = false;

  constructor(
    source: ByteStream,
    report: (start: Uint8Array, failure: { readonly cause: unknown } | undefined) => void,
  ) {
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
    if (chunk.every(isInsignificant) && this.#heldBytes < maxWhiteSpace) return;
    this.#source.pause();
    this.#settle(undefined);
  }

  close(): void {
    this.#end((sink) => sink.close());
    this.#settle(undefined);
  }

  fail(cause: unknown): void {
    this.#end((sink) => sink.fail(cause));
    this.#settle({ cause });
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

  #settle(failure: { readonly cause: unknown } | undefined): void {
    const report = this.#report;
    this.#report = undefined;
    report?.(joinBytes(this.#held), failure);
  }

  #end(ending: (sink: ByteSink) => void): void {
    if (this.#sink === undefined) this.#ending = ending;
    else ending(this.#sink);
  }
}

/** Returns true for white space and for each byte of the byte order mark, which may be split. */
const isInsignificant = (byte: number) => insignificantBytes.includes(byte);
const insignificantBytes = [0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf];
