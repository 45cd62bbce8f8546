/**
 * Withholds what comes before the first content, such as a frame of the role alone, so that another upstream can still
 * answer instead.
 */
export class PreCommitBuffer {
  readonly #mostBytes: number;
  #kept: Uint8Array[] = [];
  #bytes = 0;
  #shown = false;

  /** More than `mostBytes` are not withheld. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** True once something was passed. */
  get shown(): boolean {
    return this.#shown;
  }

  /** The bytes that may be sent now; undefined when there are none. `started`: these bytes, or those before them, hold content. */
  pass(bytes: Uint8Array | undefined, started: boolean): readonly Uint8Array[] | undefined {
    if (bytes === undefined) return undefined;
    if (this.#shown) return [bytes];
    this.#kept.push(bytes);
    this.#bytes += bytes.length;
    if (!started && this.#bytes <= this.#mostBytes) return undefined;
    this.#shown = true;
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }

  /** Forgets what was withheld. */
  drop(): void {
    this.#kept = [];
    this.#bytes = 0;
  }
}
