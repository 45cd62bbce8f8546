import { ProviderError } from "../errors/provider-error.ts";
import type { ByteSink, ByteStream } from "../ports/byte-stream.ts";
import { joinBytes } from "../wire/join-bytes.ts";

/**
 * The whole of a stream as one array. Throws a ProviderError of the kind `invalid_response` once more than
 * `limit` bytes have come, and what the stream failed with when it fails.
 */
export function collect(stream: ByteStream, limit: number): Promise<Uint8Array> {
  return collectAs(stream, limit, (bytes) => bytes);
}

/** The same, as what it is made: a promise that is resolved with bytes looks for a `then` in them, which is slow. */
export function collectAs<T>(stream: ByteStream, limit: number, make: (bytes: Uint8Array) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] | undefined;
    let length = 0;
    stream.flow({
      write(chunk) {
        length += chunk.length;
        // Most have one chunk, and the first push makes room for seventeen.
        if (chunks === undefined) chunks = [chunk];
        else chunks.push(chunk);
        if (length <= limit) return;
        stream.cancel();
        reject(new ProviderError("invalid_response", `The provider's answer is longer than ${limit} bytes.`));
      },
      close: () => resolve(make(joinBytes(chunks ?? []))),
      fail: reject,
    });
  });
}

/**
 * The first `limit` bytes of a stream, or as many as came within `milliseconds` or before it failed.
 * Never throws; the rest is cancelled.
 */
export function collectStart(stream: ByteStream, limit: number, milliseconds: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = () => {
      clearTimeout(timer);
      resolve(joinBytes(chunks).subarray(0, limit));
    };
    const stop = () => {
      stream.cancel();
      finish();
    };
    const timer = setTimeout(stop, milliseconds);
    stream.flow({
      write(chunk) {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= limit) stop();
      },
      close: finish,
      fail: finish,
    });
  });
}

/**
 * A web stream as a ByteStream: it is read only while the sink takes more, and cancelled with it.
 * `sort` turns what a read failed with into what the sink is told.
 */
export function fromReadableStream(
  stream: ReadableStream<Uint8Array>,
  sort: (cause: unknown) => unknown = (cause) => cause,
): ByteStream {
  return new ReadableStreamSource(stream.getReader(), sort);
}

class ReadableStreamSource implements ByteStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #sort: (cause: unknown) => unknown;
  #sink: ByteSink | undefined;
  #paused = false;
  #reading = false;
  #ended = false;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, sort: (cause: unknown) => unknown) {
    this.#reader = reader;
    this.#sort = sort;
  }

  flow(sink: ByteSink): void {
    this.#sink = sink;
    void this.#read(sink);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (this.#sink !== undefined) void this.#read(this.#sink);
  }

  cancel(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader.cancel().catch(() => undefined);
  }

  async #read(sink: ByteSink): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (!this.#paused && !this.#ended) this.#deliver(sink, await this.#reader.read());
    } catch (cause) {
      this.#fail(sink, cause);
    } finally {
      this.#reading = false;
    }
  }

  #deliver(sink: ByteSink, read: ReadableStreamReadResult<Uint8Array>): void {
    if (this.#ended) return;
    if (!read.done) {
      sink.write(read.value);
      return;
    }
    this.#ended = true;
    sink.close();
  }

  #fail(sink: ByteSink, cause: unknown): void {
    if (this.#ended) return;
    this.cancel();
    sink.fail(this.#sort(cause));
  }
}

/** A stream that has no bytes. */
export const emptyStream: ByteStream = {
  flow: (sink) => sink.close(),
  pause: () => undefined,
  resume: () => undefined,
  cancel: () => undefined,
};
