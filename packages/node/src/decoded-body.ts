import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { type ByteSink, type ByteStream, classifyBodyFailure, ProviderError } from "@tollgate/core/provider";

type Decoder = Transform & { flush(done: () => void): void };

/**
 * Removes the content encoding of a body (RFC 9110, section 8.4), for upstreams that compress although the request did
 * not allow it. Bytes are forwarded as soon as they are decoded, and decoding stops while the sink is paused. Returns
 * undefined for more than one encoding, or for one that this version of Node does not support.
 */
export function decodedBody(body: ByteStream, encoding: string): ByteStream | undefined {
  const make = decoders.get(encoding.trim().toLowerCase());
  return make && new DecodedBody(body, make);
}

// Without these flags the decoder could delay an event until the next one arrives.
const flushed = { flush: zlib.constants.Z_SYNC_FLUSH };
const flushedBrotli = { flush: zlib.constants.BROTLI_OPERATION_FLUSH };

const decoders = new Map<string, (first: Uint8Array) => Decoder>([
  ["gzip", () => zlib.createGunzip(flushed)],
  ["x-gzip", () => zlib.createGunzip(flushed)],
  ["br", () => zlib.createBrotliDecompress(flushedBrotli)],
  // Many servers send raw deflate data without the zlib header. The first byte shows whether the header is present.
  ["deflate", ([head = 0]) => ((head & 0x0f) === 8 ? zlib.createInflate(flushed) : zlib.createInflateRaw(flushed))],
]);

/** Available from Node 22.15 on; the installed types describe Node 20. */
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

  /** Pauses the decoder. `write` pauses the source when the decoder's buffer is full. */
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

  /** Reports the failure after the bytes that are already decoded, or at once when the sink is paused. */
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
      // A sink may throw, for example if the host has wrapped the response. Only its request fails, not the process.
      this.#end((sink) => sink.fail(classifyBodyFailure(cause)));
    }
    if (this.#failure !== undefined) this.#decoder?.flush(() => this.#failWhenEmpty());
  }

  #failWhenEmpty(): void {
    const cause = this.#failure?.cause;
    if (this.#decoder?.readableLength === 0) this.#end((sink) => sink.fail(cause));
  }

  #end(notify: (sink: ByteSink) => void): void {
    if (this.#over || this.#sink === undefined) return;
    this.cancel();
    notify(this.#sink);
  }
}

/** Classifies a decoding error: truncated data is a broken connection, corrupt data an invalid response. */
function classifyDecodeFailure(cause: unknown): ProviderError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "Z_BUF_ERROR") return classifyBodyFailure(cause);
  return new ProviderError(
    "invalid_response",
    `The provider's response cannot be decompressed (${String(code ?? "no code")}). Check the proxies between this server and the provider.`,
    { cause },
  );
}
