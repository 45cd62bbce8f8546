import { allocate } from "../wire/allocate.ts";

const nothing = new Uint8Array(0);

/**
 * Gathers what one chunk of the upstream becomes, in one buffer. As long as the output is the chunk from its
 * beginning, unchanged, nothing is copied, and the chunk itself is given back.
 */
export class FrameOutput {
  /** Where to write what {@link FrameOutput.reserve} made room for. */
  buffer: Uint8Array = nothing;
  #source: Uint8Array = nothing;
  /** End of the unchanged beginning of the source, while nothing else was put out; -1 after. */
  #kept = 0;
  #length = 0;

  /** Begins anew, for the output of `source`. */
  begin(source: Uint8Array): void {
    this.#source = source;
    this.#kept = 0;
    this.#length = 0;
    this.buffer = nothing;
  }

  /** Puts out bytes as they came. */
  keep(bytes: Uint8Array, start: number, end: number): void {
    if (bytes === this.#source && start === this.#kept) {
      this.#kept = end;
      return;
    }
    this.append(bytes.subarray(start, end));
  }

  /** Puts out a copy of bytes. */
  append(bytes: Uint8Array): void {
    const at = this.reserve(bytes.length, 0);
    this.buffer.set(bytes, at);
  }

  /** Makes room for `length` bytes and gives their position; about `expected` bytes more are likely to follow. */
  reserve(length: number, expected: number): number {
    if (this.#kept >= 0) {
      const kept = this.#kept;
      this.#kept = -1;
      if (kept > 0) this.append(this.#source.subarray(0, kept));
    }
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.buffer.length) this.#grow(this.#length + expected + (expected >> 2));
    return at;
  }

  /** What was put out, or undefined when there was nothing. */
  finish(): Uint8Array | undefined {
    const { buffer } = this;
    const source = this.#source;
    this.buffer = nothing;
    // A stream may be silent for long, and would keep the last chunk alive.
    this.#source = nothing;
    if (this.#kept === 0 || (this.#kept < 0 && this.#length === 0)) return undefined;
    if (this.#kept > 0) return this.#kept === source.length ? source : source.subarray(0, this.#kept);
    return this.#length === buffer.length ? buffer : buffer.subarray(0, this.#length);
  }

  #grow(wanted: number): void {
    const larger = allocate(Math.max(wanted, this.buffer.length === 0 ? 0 : this.buffer.length * 2));
    if (this.buffer.length > 0) larger.set(this.buffer);
    this.buffer = larger;
  }
}
