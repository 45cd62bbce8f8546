import { createContext, Script } from "node:vm";

const test = new Script("new RegExp(pattern, 'u').test(text)");
const mostMs = 50;

/** A client's regular expression (ECMA-262, flag `u`), which may take for ever: all its tests together get 50 ms. */
export class TimedPattern {
  #left = mostMs;

  constructor(private readonly pattern: string) {}

  /** False also for a pattern that is none, and when the time is over. */
  matches(text: string): boolean {
    if (this.#left < 1) return false;
    const began = performance.now();
    try {
      const globals = createContext({ pattern: this.pattern, text });
      return test.runInContext(globals, { timeout: Math.ceil(this.#left) }) === true;
    } catch {
      return false;
    } finally {
      this.#left -= performance.now() - began;
    }
  }
}
