import type { ByteSink } from "../ports/byte-stream.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import { joinBytes } from "../wire/bytes.ts";

/** A response stream that reports what the client was sent, once, when it ends. */
export class LoggedStream implements ResponseStream {
  readonly #body: ResponseStream;
  readonly #maxBytes: number;
  readonly #onEnd: (frames: Uint8Array | undefined) => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #hasEnded = false;

  /** `onEnd` gets the frames, or undefined if they exceed `maxBytes`. */
  constructor(body: ResponseStream, maxBytes: number, onEnd: (frames: Uint8Array | undefined) => void) {
    this.#body = body;
    this.#maxBytes = maxBytes;
    this.#onEnd = onEnd;
  }

  get stalledMs(): number {
    return this.#body.stalledMs;
  }

  pipeTo(sink: ByteSink): void {
    this.#body.pipeTo({
      write: (chunk) => {
        this.#keep(chunk);
        sink.write(chunk);
      },
      close: () => {
        this.#end();
        sink.close();
      },
      fail: (cause) => {
        this.#end();
        sink.fail(cause);
      },
    });
  }

  onDrain(): void {
    this.#body.onDrain();
  }

  cancel(): void {
    this.#end();
    this.#body.cancel();
  }

  #keep(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this.#bytes <= this.#maxBytes ? joinBytes(this.#chunks) : undefined);
    this.#chunks = [];
  }
}
