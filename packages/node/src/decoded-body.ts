import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { type ByteSink, type ByteStream, classifyBodyFailure, ProviderError } from "@tollgate/core/provider";

type Decoder = Transform & { flush(done: () => void): void };

/**
 * A body without its content encoding (RFC 9110, section 8.4), for upstreams that compress unasked: what comes is given
 * on as soon as it can be decoded, and nothing is decoded ahead of a sink that is paused. Undefined for an encoding that
 * this Node does not know, or more than one.
 */
export function decodedBody(body: ByteStream, encoding: string): ByteStream | undefined {
  const make = decoders.get(encoding.trim().toLowerCase());
  return make && new DecodedBody(body, make);
}

// Without these a frame could wait in the decoder for the next.
const flushed = { flush: zlib.constants.Z_SYNC_FLUSH };
const flushedBrotli = { flush: zlib.constants.BROTLI_OPERATION_FLUSH };

const decoders = new Map<string, (first: Uint8Array) => Decoder>([
  ["gzip", () => zlib.createGunzip(flushed)],
  ["x-gzip", () => zlib.createGunzip(flushed)],
  ["br", () => zlib.createBrotliDecompress(flushedBrotli)],
  // Half of the servers that say deflate leave out the zlib header, whose first octet tells.
  ["deflate", ([head = 0]) => ((head & 0x0f) === 8 ? zlib.createInflate(flushed) : zlib.createInflateRaw(flushed))],
]);

/** From Node 22.15 on; the types are those of Node 20. */
const zstd: Pick<typeof zlib, "createGunzip"> & { readonly createZstdDecompress?: () => Decoder } = zlib;
if (zstd.createZstdDecompress !== undefined) decoders.set("zstd", zstd.createZstdDecompress);

class DecodedBody implements ByteStream, ByteSink {
  readonly #source: ByteStream;
  readonly #make: (first: Uint8Array) => Decoder;
  #decoder: Decoder | undefined;
  #sink: ByteSink | undefined;
  #paused = false;
  #over = false;
  #failure: { readonly cause: unknown } | undefined;

  constructor(source: ByteStream, make: (first: Uint8Array) => Decoder) {
    this.#source = source;
    this.#make = make;
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    this.#source.pipeTo(this);
  }

  /** The source is paused by the decoder, once that is full. */
  pause(): void {
    this.#paused = true;
    this.#decoder?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#decoder?.resume();
  }

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#source.cancel();
    this.#decoder?.destroy();
  }

  write(chunk: Uint8Array): void {
    if (this.#over) return;
    this.#decoder ??= this.#start(chunk);
    if (!this.#decoder.write(chunk)) this.#source.pause();
  }

  close(): void {
    if (this.#decoder === undefined) this.#end((sink) => sink.close());
    else this.#decoder.end();
  }

  /** A sink that takes what comes is given what came before; another one hears of it at once. */
  fail(cause: unknown): void {
    this.#failure = { cause };
    if (this.#decoder === undefined || this.#paused) this.#end((sink) => sink.fail(cause));
    else this.#decoder.flush(() => this.#failWhenEmpty());
  }

  #start(first: Uint8Array): Decoder {
    const decoder = this.#make(first);
    decoder.on("data", (bytes: Uint8Array) => this.#give(bytes));
    decoder.on("drain", () => this.#over || this.#source.resume());
    decoder.on("end", () => this.#end((sink) => sink.close()));
    decoder.on("error", (cause) => this.#end((sink) => sink.fail(classifyDecodeFailure(cause))));
    if (this.#paused) decoder.pause();
    return decoder;
  }

  #give(bytes: Uint8Array): void {
    if (this.#over) return;
    try {
      this.#sink?.write(bytes);
    } catch (cause) {
      // A sink that throws, as the response of a host can that has wrapped it, fails its own request and not the process.
      this.#end((sink) => sink.fail(classifyBodyFailure(cause)));
    }
    if (this.#failure !== undefined) this.#decoder?.flush(() => this.#failWhenEmpty());
  }

  #failWhenEmpty(): void {
    const cause = this.#failure?.cause;
    if (this.#decoder?.readableLength === 0) this.#end((sink) => sink.fail(cause));
  }

  #end(tell: (sink: ByteSink) => void): void {
    if (this.#over || this.#sink === undefined) return;
    this.cancel();
    tell(this.#sink);
  }
}

/** The end of what came is inside the compressed data, or the data are broken. */
function classifyDecodeFailure(cause: unknown): ProviderError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "Z_BUF_ERROR") return classifyBodyFailure(cause);
  return new ProviderError(
    "invalid_response",
    `The provider's compressed answer cannot be decoded (${String(code ?? "no code")}). Check what stands between here and it.`,
    { cause },
  );
}
