import { isOfOneCall } from "./database-error.ts";

/** Runs calls of different accounts in one statement. Returns the results by id, without those that must run alone. */
export type RunPack<Call, Result> = (calls: readonly Call[]) => Promise<ReadonlyMap<string, Result>>;

interface Waiting<Call, Result> {
  readonly call: Call;
  alone(): Promise<Result>;
  resolve(result: Result | PromiseLike<Result>): void;
  reject(cause: unknown): void;
}

const maxPackSize = 100;

/**
 * Lets calls of different accounts share a statement: those of one turn of the event loop, and those that arrive while others run. A
 * statement costs this process and the server more than what it does for one call. A call runs alone if no other runs, and the others
 * in packs, one at a time: each takes what waits when the one before it has ended. No timer is involved. A call that runs alone may
 * wait for the row of its account; a pack never waits, so calls wait for nothing but each other's work.
 */
export class Packs<Call extends { readonly id: string }, Result> {
  readonly #run: RunPack<Call, Result>;
  #runsAlone = false;
  #runsPack = false;
  #waiting: Waiting<Call, Result>[] = [];

  constructor(run: RunPack<Call, Result>) {
    this.#run = run;
  }

  /** Runs a call in a pack; or alone if no other waits or runs, or if the pack has no result for it. */
  run(call: Call, alone: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, alone, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#runNext());
    });
  }

  #runNext(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#runsPack) return;
    if (this.#waiting.length === 1 && !this.#runsAlone) {
      this.#waiting = [];
      void this.#runAlone(first);
    } else {
      void this.#runPack(this.#takePack());
    }
  }

  /** Takes what waits, but one call for each id: different accounts may use the same one, and results are found by it. */
  #takePack(): readonly Waiting<Call, Result>[] {
    const pack = new Map<string, Waiting<Call, Result>>();
    const rest: Waiting<Call, Result>[] = [];
    for (const each of this.#waiting) {
      if (pack.size < maxPackSize && !pack.has(each.call.id)) pack.set(each.call.id, each);
      else rest.push(each);
    }
    this.#waiting = rest;
    return [...pack.values()];
  }

  async #runAlone({ alone, resolve, reject }: Waiting<Call, Result>): Promise<void> {
    this.#runsAlone = true;
    await alone().then(resolve, reject);
    this.#runsAlone = false;
  }

  async #runPack(pack: readonly Waiting<Call, Result>[]): Promise<void> {
    this.#runsPack = true;
    try {
      const results = await this.#run(pack.map(({ call }) => call));
      for (const { call, alone, resolve } of pack) resolve(results.get(call.id) ?? alone());
    } catch (cause) {
      // Each runs alone, and the one that is refused fails alone.
      for (const { alone, resolve, reject } of pack) {
        if (isOfOneCall(cause)) resolve(alone());
        else reject(cause);
      }
    }
    this.#runsPack = false;
    this.#runNext();
  }
}
