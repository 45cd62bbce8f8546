import type { ByteSink } from "../../ports/byte-stream.ts";
import type { ResponseStream } from "../../ports/gateway-response.ts";
import { takeTurns } from "../../runtime/take-turns.ts";
import { byteLength, encodeUtf8 } from "../../wire/bytes.ts";
import type { UnreadBytes } from "./buffer-budget.ts";

/** The size of a chunk in UTF-16 code units of a text, or in bytes. Shorter bodies are written at once. */
export const chunkLength = 65_536;
/** So many chunks are encoded in a few milliseconds. */
const chunksAtOnce = 16;

/** A long body that is written in chunks as the client reads it. Each chunk is freed once it has been read. */
export class ChunkedBody implements ResponseStream {
  readonly stalledMs: number;
  readonly #hold: (bytes: number, onCut: () => void) => UnreadBytes;
  /** The rest of the body, and how much of it is in chunks. Empty once all of it is. */
  #body: string | Uint8Array;
  #cutUpTo = 0;
  readonly #chunks: Uint8Array[] = [];
  #sink: ByteSink | undefined;
  #unread: UnreadBytes | undefined;
  /** Bytes of the last written chunk, until the client has read it. */
  #written = 0;
  #isWriting = false;
  #wantsMore = false;

  /** `body` is a text, which may be given in UTF-8. `hold` counts its bytes as unread, and calls `onCut` if the response must end. */
  constructor(body: string | Uint8Array, stalledMs: number, hold: (bytes: number, onCut: () => void) => UnreadBytes) {
    this.stalledMs = stalledMs;
    this.#hold = hold;
    this.#body = body;
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    this.#unread = this.#hold(byteLength(this.#body), () => this.#cut());
    this.#write();
    // A client that reads slowly would otherwise keep all of the body.
    if (this.#body.length > 0) void takeTurns(this.#chunkAhead());
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
    this.#body = "";
    this.#chunks.length = 0;
    this.#unread?.end();
  }

  *#chunkAhead(): Generator<undefined, undefined> {
    while (this.#body.length > 0) {
      yield;
      for (let count = 0; count < chunksAtOnce; count += 1) this.#addChunk();
    }
    return undefined;
  }

  /** Encodes or copies the next chunk of the body, into memory of its own. */
  #addChunk(): void {
    const body = this.#body;
    if (body.length === 0) return;
    const start = this.#cutUpTo;
    const end = endOfChunk(body, start);
    const bytes = typeof body === "string" ? encodeUtf8(body.slice(start, end)) : body.subarray(start, end);
    this.#chunks.push(new Uint8Array(bytes));
    this.#cutUpTo = end;
    if (end === body.length) this.#body = "";
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
    if (this.#chunks.length === 0) this.#addChunk();
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

/** Returns the end of the chunk at `start`, which divides no surrogate pair of a text. */
function endOfChunk(body: string | Uint8Array, start: number): number {
  const end = start + chunkLength;
  if (end >= body.length) return body.length;
  if (typeof body !== "string") return end;
  const last = body.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
