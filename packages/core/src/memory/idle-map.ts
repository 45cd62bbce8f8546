/**
 * A map that removes idle entries incrementally. Each `set` adds at most one entry and checks two others in rotation, so
 * that idle entries do not accumulate, without a timer.
 */
export class IdleMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #isIdle: (value: Value, now: number) => boolean;
  #rotation = this.#entries.entries();

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
    this.#checkNext(now);
    this.#checkNext(now);
    this.#entries.set(id, value);
  }

  #checkNext(now: number): void {
    const next = this.#rotation.next();
    if (next.done) this.#rotation = this.#entries.entries();
    else if (this.#isIdle(next.value[1], now)) this.#entries.delete(next.value[0]);
  }
}
