import type { ByteSink } from "../ports/byte-stream.ts";
import type { ResponseStream } from "../ports/gateway-response.ts";
import { takeTurns } from "../runtime/take-turns.ts";
import { byteLength, encodeUtf8 } from "../wire/bytes.ts";
import type { UnreadBytes } from "./unread-bytes.ts";

/** The size of a chunk in UTF-16 code units, and in bytes of ASCII. Shorter texts are written at once. */
export const chunkLength = 65_536;
/** So many chunks are encoded in a few milliseconds. */
const chunksAtOnce = 16;

/** A long text that is written in chunks as the client reads it. Each chunk is freed once it has been read. */
export class ChunkedText implements ResponseStream {
  readonly stalledMs: number;
  readonly #hold: (bytes: number, onCut: () => void) => UnreadBytes;
  /** The text, and how much of it is encoded. Empty once all of it is. */
  #text: string;
  #encoded = 0;
  readonly #chunks: Uint8Array[] = [];
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
    this.#text = text;
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    this.#unread = this.#hold(byteLength(this.#text), () => this.#cut());
    this.#write();
    // A client that reads slowly would otherwise keep all of the text.
    if (this.#text !== "") void takeTurns(this.#encodeAhead());
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
    this.#text = "";
    this.#chunks.length = 0;
    this.#unread?.end();
  }

  *#encodeAhead(): Generator<undefined, undefined> {
    while (this.#text !== "") {
      yield;
      for (let count = 0; count < chunksAtOnce; count += 1) this.#encode();
    }
    return undefined;
  }

  /** Encodes the next chunk of the text, in memory of its own. */
  #encode(): void {
    const text = this.#text;
    if (text === "") return;
    const end = endOfChunk(text, this.#encoded);
    this.#chunks.push(new Uint8Array(encodeUtf8(text.slice(this.#encoded, end))));
    this.#encoded = end;
    if (end === text.length) this.#text = "";
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
    if (this.#chunks.length === 0) this.#encode();
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

/** Returns the end of the chunk at `start`, which divides no surrogate pair. */
function endOfChunk(text: string, start: number): number {
  const end = start + chunkLength;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
