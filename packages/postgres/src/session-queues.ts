/** Runs the tasks of one session in sequence within this process, whether or not earlier tasks failed. */
export class SessionQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(sessionId: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(sessionId) ?? Promise.resolve();
    const current = previous.then(task, task);
    this.#last.set(sessionId, current);
    try {
      return await current;
    } finally {
      if (this.#last.get(sessionId) === current) this.#last.delete(sessionId);
    }
  }
}
