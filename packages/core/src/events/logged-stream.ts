import type { ByteSink } from "../ports/byte-stream.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import { joinBytes } from "../wire/bytes.ts";

/** What is done with the frames of a stream. */
interface FrameLog {
  /** Counts the bytes of a chunk. Returns false if it must not be kept, nor any other. */
  keep(bytes: number): boolean;
  /** Gets the frames when the stream ends, or undefined if they were not kept. */
  end(frames: Uint8Array | undefined): void;
}

/** A response stream that reports what the client was sent, once, when it ends. */
export class LoggedStream implements ResponseStream {
  readonly #body: ResponseStream;
  readonly #maxBytes: number;
  readonly #log: FrameLog;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #hasEnded = false;

  constructor(body: ResponseStream, maxBytes: number, log: FrameLog) {
    this.#body = body;
    this.#maxBytes = maxBytes;
    this.#log = log;
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
    if (this.#bytes <= this.#maxBytes && this.#log.keep(chunk.length)) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#log.end(this.#bytes <= this.#maxBytes ? joinBytes(this.#chunks) : undefined);
    this.#chunks = [];
  }
}
