const newline = 10;
const carriageReturn = 13;
const letterD = 100;

/** Counts the events of a text/event-stream (WHATWG HTML, 9.2) that carry data; comments are no frames. */
export class FrameCounter {
  /** Events seen whole. */
  count = 0;
  #lineLength = 0;
  #hasData = false;

  /** Takes the bytes from `start` up to `end`. */
  feed(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === newline) this.#endLine();
      else if (byte !== carriageReturn) {
        if (this.#lineLength === 0 && byte === letterD) this.#hasData = true;
        this.#lineLength++;
      }
    }
  }

  #endLine(): void {
    if (this.#lineLength === 0 && this.#hasData) {
      this.count++;
      this.#hasData = false;
    }
    this.#lineLength = 0;
  }
}
