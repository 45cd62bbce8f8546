import type { ByteSink } from "../../ports/byte-stream.ts";
import type { ProviderStream } from "../../ports/provider-adapter.ts";
import type { StreamTranslator } from "../../streaming/stream-translator.ts";
import type { ChatCompletionChunk } from "../../wire/chat-completion-chunk.ts";
import { ChunkFlow, type ChunkSink } from "./chunk-flow.ts";

/** What hears of the upstream: bytes for the client, and its one end. */
export interface UpstreamListener {
  give(bytes: Uint8Array | undefined): void;
  close(): void;
  fail(cause: unknown): void;
}

const none: readonly string[] = [];

/** The upstream's end of a stream, whichever form the provider gave it: what flows from it has been translated. */
export class UpstreamSide implements ByteSink, ChunkSink {
  readonly #translator: StreamTranslator;
  readonly #listener: UpstreamListener;
  #flow: { pause(): void; resume(): void; cancel(): void } | undefined;
  #isOpen = false;
  #isPaused = false;
  #handsOnBytes = false;
  /** What no client may see of the upstream, as far as its provider said. */
  hidden: readonly string[] = none;

  constructor(translator: StreamTranslator, listener: UpstreamListener) {
    this.#translator = translator;
    this.#listener = listener;
  }

  /** True for a provider that hands on the upstream's bytes, which has nothing more to read in the request. */
  get handsOnBytes(): boolean {
    return this.#handsOnBytes;
  }

  /** True while the upstream may still send. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  open(stream: ProviderStream): void {
    this.#isOpen = true;
    this.#handsOnBytes = stream.kind === "bytes";
    if (stream.kind === "bytes") {
      this.hidden = stream.hidden ?? none;
      this.#flow = stream.bytes;
      stream.bytes.pipeTo(this);
    } else {
      const chunks = new ChunkFlow(stream.chunks);
      this.#flow = chunks;
      void chunks.flow(this);
    }
  }

  write(bytes: Uint8Array): void {
    this.#listener.give(this.#translator.translate(bytes));
  }

  chunk(chunk: ChatCompletionChunk): void {
    this.#listener.give(this.#translator.translateChunk(chunk));
  }

  close(): void {
    this.#isOpen = false;
    this.#listener.close();
  }

  fail(cause: unknown): void {
    this.#isOpen = false;
    this.#listener.fail(cause);
  }

  pause(): void {
    this.#isPaused = true;
    this.#flow?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#flow?.resume();
  }

  /** Closes the connection, unless the upstream has closed it. */
  cancel(): void {
    if (this.#isOpen) this.#flow?.cancel();
    this.#isOpen = false;
  }
}
