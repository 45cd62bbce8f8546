import { ProviderError } from "../errors/provider-error.ts";
import type { ByteSink, ByteStream } from "../ports/byte-stream.ts";
import type { CallProgress } from "../ports/transport.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { takeTurns } from "../runtime/take-turns.ts";
import { allocate, joinBytes } from "../wire/bytes.ts";

/** The most bytes that are read of an answer in one piece. */
export const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * Collects a whole stream into one array, synchronously if all of it is available and it is not long. Throws a ProviderError of the kind
 * `invalid_response` above `limit` bytes, and the error of a stream that fails.
 */
export function collect(stream: ByteStream, limit: number): Awaitable<Uint8Array> {
  const collector = new Collector(stream, limit);
  stream.pipeTo(collector);
  return collector.outcome();
}

class Collector implements ByteSink {
  readonly #stream: ByteStream;
  readonly #limit: number;
  #chunks: Uint8Array[] | undefined;
  #length = 0;
  #bytes: Uint8Array | undefined;
  #failure: { readonly cause: unknown } | undefined;
  #receiver: { resolve(bytes: Uint8Array): void; reject(cause: unknown): void } | undefined;

  constructor(stream: ByteStream, limit: number) {
    this.#stream = stream;
    this.#limit = limit;
  }

  outcome(): Awaitable<Uint8Array> {
    if (this.#failure !== undefined) throw this.#failure.cause;
    if (this.#bytes !== undefined) return this.#bytes;
    return new Promise((resolve, reject) => {
      this.#receiver = { resolve, reject };
    });
  }

  write(chunk: Uint8Array): void {
    this.#length += chunk.length;
    // Most streams have one chunk, and the first push to an array allocates space for 17.
    if (this.#chunks === undefined) this.#chunks = [chunk];
    else this.#chunks.push(chunk);
    if (this.#length <= this.#limit) return;
    this.#stream.cancel();
    this.fail(new ProviderError("invalid_response", `The provider's answer is longer than ${this.#limit} bytes.`));
  }

  close(): void {
    const chunks = this.#chunks ?? [];
    if (chunks.length === 1 || this.#length <= bytesAtOnce) this.#resolve(joinBytes(chunks));
    else {
      takeTurns(joinInSteps(chunks, this.#length)).then(
        (bytes) => this.#resolve(bytes),
        (cause) => this.fail(cause),
      );
    }
  }

  fail(cause: unknown): void {
    this.#failure ??= { cause };
    this.#receiver?.reject(cause);
  }

  #resolve(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#receiver?.resolve(bytes);
  }
}

/** So many bytes are copied in a few milliseconds. */
const bytesAtOnce = 4_194_304;

function* joinInSteps(chunks: readonly Uint8Array[], length: number): Generator<undefined, Uint8Array> {
  const whole = allocate(length);
  let at = 0;
  let turnAt = bytesAtOnce;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
    if (at < turnAt) continue;
    turnAt = at + bytesAtOnce;
    yield;
  }
  return whole;
}

/**
 * Resolves to the first `limit` bytes of a stream, or to those that arrived within `milliseconds` or before it failed.
 * Never rejects. The rest is cancelled.
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
    stream.pipeTo({
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
 * Makes a ByteStream of a web stream, which is read only while it is not paused. `classify` converts the error of a read
 * into the error for the sink. Each chunk counts as `progress`.
 */
export function fromReadableStream(
  stream: ReadableStream<Uint8Array>,
  classify: (cause: unknown) => unknown = (cause) => cause,
  progress?: CallProgress,
): ByteStream {
  return new ReadableStreamSource(stream.getReader(), classify, progress);
}

class ReadableStreamSource implements ByteStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #classify: (cause: unknown) => unknown;
  readonly #progress: CallProgress | undefined;
  #sink: ByteSink | undefined;
  #paused = false;
  #reading = false;
  #ended = false;

  constructor(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    classify: (cause: unknown) => unknown,
    progress: CallProgress | undefined,
  ) {
    this.#reader = reader;
    this.#classify = classify;
    this.#progress = progress;
  }

  pipeTo(sink: ByteSink): void {
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
      if (this.#progress !== undefined) this.#progress.activity++;
      sink.write(read.value);
      return;
    }
    this.#ended = true;
    sink.close();
  }

  #fail(sink: ByteSink, cause: unknown): void {
    if (this.#ended) return;
    this.cancel();
    sink.fail(this.#classify(cause));
  }
}

/** A stream without bytes. */
export const emptyStream: ByteStream = {
  pipeTo: (sink) => sink.close(),
  pause: () => undefined,
  resume: () => undefined,
  cancel: () => undefined,
};
