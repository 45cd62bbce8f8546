/**
 * A map that drops idle entries little by little. Each `set` adds at most one entry and looks at two, in turn, so
 * idle ones cannot pile up, and no timer is needed.
 */
export class IdleMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #isIdle: (value: Value, now: number) => boolean;
  #turn = this.#entries.entries();

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
    this.#look(now);
    this.#look(now);
    this.#entries.set(id, value);
  }

  #look(now: number): void {
    const next = this.#turn.next();
    if (next.done) this.#turn = this.#entries.entries();
    else if (this.#isIdle(next.value[1], now)) this.#entries.delete(next.value[0]);
  }
}
