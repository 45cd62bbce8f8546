import type { ByteSink } from "../ports/byte-stream.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import { encodeUtf8 } from "../wire/bytes.ts";
import type { UnreadBytes } from "./unread-bytes.ts";

/** Bytes of one chunk. Shorter texts are written at once. */
export const chunkBytes = 65_536;

/** A long text that is written in chunks as the client reads it. Each chunk is freed once it has been read. */
export class ChunkedText implements ResponseStream {
  readonly stalledMs: number;
  readonly #hold: (bytes: number, onCut: () => void) => UnreadBytes;
  readonly #chunks: Uint8Array[];
  #sink: ByteSink | undefined;
  #unread: UnreadBytes | undefined;
  /** Bytes of the last written chunk, until the client has read it. */
  #written = 0;
  #isWriting = false;
  #wantsMore = false;

  /** `hold` counts the bytes of the text as unread, and calls `onCut` if the response must end. */
  constructor(text: string, stalledMs: number, hold: (bytes: number, onCut: () => void) => UnreadBytes) {
    this.stalledMs = stalledMs;
    this.#hold = hold;
    this.#chunks = split(encodeUtf8(text));
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    const bytes = this.#chunks.reduce((sum, { length }) => sum + length, 0);
    this.#unread = this.#hold(bytes, () => this.#cut());
    this.#write();
  }

  onDrain(): void {
    this.#unread?.read(this.#written);
    this.#written = 0;
    // A sink without backpressure calls this from within `write`; the loop in #write avoids recursion.
    if (this.#isWriting) this.#wantsMore = true;
    else this.#write();
  }

  cancel(): void {
    this.#sink = undefined;
    this.#chunks.length = 0;
    this.#unread?.end();
  }

  #write(): void {
    this.#isWriting = true;
    do {
      this.#wantsMore = false;
      this.#writeChunk();
    } while (this.#wantsMore);
    this.#isWriting = false;
  }

  #writeChunk(): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    const chunk = this.#chunks.shift();
    if (chunk === undefined) {
      this.cancel();
      sink.close();
    } else {
      this.#written = chunk.length;
      sink.write(chunk);
    }
  }

  #cut(): void {
    const sink = this.#sink;
    this.cancel();
    sink?.fail(
      new Error("The client read nothing for too long, or all unread responses together exceeded their limit."),
    );
  }
}

/** Splits bytes into copies, so that each chunk can be freed separately. */
function split(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    chunks.push(new Uint8Array(bytes.subarray(at, at + chunkBytes)));
  }
  return chunks;
}
