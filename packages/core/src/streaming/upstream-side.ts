import type { ProviderStream } from "../ports/provider-adapter.ts";
import { ChunkFlow } from "./chunk-flow.ts";
import type { StreamTranslator } from "./stream-translator.ts";

/** What hears of the upstream: bytes for the client, and its one end. */
export interface UpstreamListener {
  give(bytes: Uint8Array | undefined): void;
  close(): void;
  fail(cause: unknown): void;
}

/** The upstream's end of a stream, whichever form the provider gave it: what flows from it has been translated. */
export class UpstreamSide {
  readonly #translator: StreamTranslator;
  #flow: { pause(): void; resume(): void; cancel(): void } | undefined;
  #isOpen = false;
  #isPaused = false;

  constructor(translator: StreamTranslator) {
    this.#translator = translator;
  }

  /** True while the upstream may still send. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  open(stream: ProviderStream, { give, close, fail }: UpstreamListener): void {
    const ends = {
      close: () => {
        this.#isOpen = false;
        close();
      },
      fail: (cause: unknown) => {
        this.#isOpen = false;
        fail(cause);
      },
    };
    this.#isOpen = true;
    if (stream.kind === "bytes") {
      this.#flow = stream.bytes;
      stream.bytes.flow({ write: (bytes) => give(this.#translator.translate(bytes)), ...ends });
    } else {
      const chunks = new ChunkFlow(stream.chunks);
      this.#flow = chunks;
      void chunks.flow({ chunk: (chunk) => give(this.#translator.translateChunk(chunk)), ...ends });
    }
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
  close(): void {
    if (this.#isOpen) this.#flow?.cancel();
    this.#isOpen = false;
  }
}
