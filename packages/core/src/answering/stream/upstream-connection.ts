import type { ByteSink, ByteStream } from "../../ports/byte-stream.ts";
import type { ProviderStream } from "../../ports/provider-adapter.ts";
import type { ChatCompletionChunk } from "../../wire/chat-completion-chunk.ts";
import { ChunkSource } from "./chunk-source.ts";

/** Receives the bytes or chunks of an upstream. `close` or `fail` is called once, as the last call. */
export interface UpstreamSink extends ByteSink {
  writeChunk(chunk: ChatCompletionChunk): void;
}

/** The connection to the upstream of a stream. It pushes into its sink once open, can be paused, and closes once. */
export class UpstreamConnection implements ByteSink {
  readonly #sink: UpstreamSink;
  #source: Omit<ByteStream, "pipeTo"> | undefined;
  #isOpen = false;
  #isPaused = false;
  #onClosed: (() => void) | undefined;

  constructor(sink: UpstreamSink) {
    this.#sink = sink;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  open(stream: ProviderStream): void {
    this.#isOpen = true;
    if (stream.kind === "bytes") {
      this.#source = stream.bytes;
      stream.bytes.pipeTo(this);
    } else {
      const chunks = new ChunkSource(stream.chunks);
      this.#source = chunks;
      void chunks.pipeTo({
        write: (chunk) => this.#sink.writeChunk(chunk),
        close: () => this.close(),
        fail: (cause) => this.fail(cause),
      });
    }
  }

  write(bytes: Uint8Array): void {
    this.#sink.write(bytes);
  }

  close(): void {
    this.#markClosed();
    this.#sink.close();
  }

  fail(cause: unknown): void {
    this.#markClosed();
    this.#sink.fail(cause);
  }

  pause(): void {
    this.#isPaused = true;
    this.#source?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source?.resume();
  }

  /** Closes the connection, unless the upstream has closed it. Does not notify the sink. */
  disconnect(): void {
    if (this.#isOpen) this.#source?.cancel();
    this.#markClosed();
  }

  /** Resolves when the connection is closed. */
  whenClosed(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onClosed = resolve;
    });
  }

  #markClosed(): void {
    this.#isOpen = false;
    this.#onClosed?.();
  }
}
