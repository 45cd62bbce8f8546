import { createContext, Script } from "node:vm";

const test = new Script("new RegExp(pattern, 'u').test(text)");
const maxMs = 50;

/** A client's regular expression (ECMA-262, flag `u`). Since it may backtrack exponentially, all its tests together have 50 ms. */
export class TimedPattern {
  #remainingMs = maxMs;

  constructor(private readonly pattern: string) {}

  /** Returns false for an invalid pattern as well, and after the time is used up. */
  matches(text: string): boolean {
    if (this.#remainingMs < 1) return false;
    const startedAt = performance.now();
    try {
      const globals = createContext({ pattern: this.pattern, text });
      return test.runInContext(globals, { timeout: Math.ceil(this.#remainingMs) }) === true;
    } catch {
      return false;
    } finally {
      this.#remainingMs -= performance.now() - startedAt;
    }
  }
}
