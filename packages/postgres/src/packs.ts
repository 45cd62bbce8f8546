import { isOfOneCall } from "./database-error.ts";

/** Runs calls of different accounts in one statement. Returns the results by id, without those that must run alone. */
export type RunPack<Call, Result> = (calls: readonly Call[]) => Promise<ReadonlyMap<string, Result>>;

interface Waiting<Call, Result> {
  readonly call: Call;
  resolve(result: Result | undefined): void;
  reject(cause: unknown): void;
}

const maxPackSize = 100;

/**
 * Lets calls of different accounts share a statement while others run: a statement costs this process and the server more than
 * what it does for one call. One call at a time runs alone, and one pack, which takes what waits when the pack before it has ended. No
 * timer is involved. A call that runs alone may wait for the row of its account; a pack never waits, so calls wait for nothing but
 * each other's work.
 */
export class Packs<Call extends { readonly id: string }, Result> {
  readonly #run: RunPack<Call, Result>;
  #runsAlone = false;
  #runsPack = false;
  #waiting: Waiting<Call, Result>[] = [];

  constructor(run: RunPack<Call, Result>) {
    this.#run = run;
  }

  /** Runs a call in a pack; or alone if no other does, or if the pack has no result for it. */
  async run<Answer>(call: Call, alone: () => Promise<Result | Answer>): Promise<Result | Answer> {
    if (this.#runsAlone) return (await this.#inPack(call)) ?? alone();
    this.#runsAlone = true;
    try {
      return await alone();
    } finally {
      this.#runsAlone = false;
    }
  }

  #inPack(call: Call): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      void this.#runNext();
    });
  }

  async #runNext(): Promise<void> {
    if (this.#runsPack || this.#waiting.length === 0) return;
    const pack = this.#waiting.slice(0, maxPackSize);
    this.#waiting = this.#waiting.slice(maxPackSize);
    this.#runsPack = true;
    try {
      const results = await this.#run(pack.map(({ call }) => call));
      for (const { call, resolve } of pack) resolve(results.get(call.id));
    } catch (cause) {
      // Without a result, each runs alone, and the one that is refused fails alone.
      for (const { resolve, reject } of pack) {
        if (isOfOneCall(cause)) resolve(undefined);
        else reject(cause);
      }
    }
    this.#runsPack = false;
    void this.#runNext();
  }
}
