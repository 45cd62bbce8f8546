/** Below so many entries a sweep is not worth its while. */
const leastSwept = 8;

/**
 * A map that deletes its idle entries each time it has doubled in size since the last sweep. So it has at most about
 * twice as many entries as are busy, a `set` takes constant time on average, and no timer is needed.
 */
export class IdleMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #isIdle: (value: Value, now: number) => boolean;
  #sweepAt = leastSwept;

  constructor(isIdle: (value: Value, now: number) => boolean) {
    this.#isIdle = isIdle;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): Value | undefined {
    return this.#entries.get(id);
  }

  set(id: string, value: Value, now: number): void {
    if (this.#entries.size >= this.#sweepAt) this.#sweep(now);
    this.#entries.set(id, value);
  }

  #sweep(now: number): void {
    for (const [id, value] of this.#entries) if (this.#isIdle(value, now)) this.#entries.delete(id);
    this.#sweepAt = Math.max(leastSwept, 2 * this.#entries.size);
  }
}
