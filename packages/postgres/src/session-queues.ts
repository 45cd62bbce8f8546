/** Lets the work on one session wait for that which came before it in this process, whatever became of it. */
export class SessionQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(sessionId) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(sessionId, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(sessionId) === mine) this.#last.delete(sessionId);
    }
  }
}
