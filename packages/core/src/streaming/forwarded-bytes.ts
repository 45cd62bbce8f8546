import { joinBytes } from "../wire/bytes.ts";

/** Collects the bytes that one chunk yields. Neighbouring events of a chunk stay one range, so that they are not copied. */
export class ForwardedBytes {
  #parts: Uint8Array[] = [];
  #bytes: Uint8Array | undefined;
  #start = 0;
  #end = 0;

  add(bytes: Uint8Array, start: number, end: number, isStable: boolean): void {
    if (!isStable) this.push(bytes.slice(start, end));
    else if (this.#bytes === bytes && this.#end === start) this.#end = end;
    else {
      this.#close();
      this.#bytes = bytes;
      this.#start = start;
      this.#end = end;
    }
  }

  push(bytes: Uint8Array): void {
    this.#close();
    this.#parts.push(bytes);
  }

  take(): Uint8Array | undefined {
    this.#close();
    if (this.#parts.length === 0) return undefined;
    const joined = joinBytes(this.#parts);
    this.#parts = [];
    return joined;
  }

  #close(): void {
    const bytes = this.#bytes;
    if (bytes === undefined) return;
    this.#parts.push(this.#start === 0 && this.#end === bytes.length ? bytes : bytes.subarray(this.#start, this.#end));
    this.#bytes = undefined;
  }
}
