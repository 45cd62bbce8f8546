/**
 * Buffers what comes before the first content of an answer, such as a frame with the role alone. Until the buffer is
 * sent, a failed attempt can be replaced by an attempt at another upstream.
 */
export class PreCommitBuffer {
  readonly #maxBytes: number;
  #buffered: Uint8Array[] = [];
  #bytes = 0;
  #isCommitted = false;

  /** Once more than `maxBytes` are buffered, they are sent even without content. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True once bytes have been returned for sending. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Adds bytes, and returns all bytes that may be sent now, or undefined when there are none. `started` is true once the answer has content. */
  push(bytes: Uint8Array | undefined, started: boolean): readonly Uint8Array[] | undefined {
    if (this.#isCommitted) return bytes && [bytes];
    if (bytes !== undefined) {
      this.#buffered.push(bytes);
      this.#bytes += bytes.length;
    }
    // The end of an answer may start it and have no bytes of its own yet.
    if (this.#bytes === 0 || (!started && this.#bytes <= this.#maxBytes)) return undefined;
    this.#isCommitted = true;
    const buffered = this.#buffered;
    this.#buffered = [];
    return buffered;
  }

  /** Discards the buffered bytes. */
  clear(): void {
    this.#buffered = [];
    this.#bytes = 0;
  }
}
