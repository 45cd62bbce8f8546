declare module "rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js" {
  /** The synchronous storage of rate-limiter-flexible's memory limiter. It does not import modules of Node. */
  export default class MemoryStorage {
    /** Adds points to the window of a key. The first call opens the window. */
    incrby(key: string, points: 1, seconds: number): { readonly consumedPoints: number; readonly msBeforeNext: number };
  }
}
