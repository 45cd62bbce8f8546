declare module "rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js" {
  /** The counting of rate-limiter-flexible's memory limiter, which answers at once; it runs without Node's modules. */
  export default class MemoryStorage {
    /** Adds points to a key's window, which the first call opens for so many seconds. */
    incrby(key: string, points: 1, seconds: number): { readonly consumedPoints: number; readonly msBeforeNext: number };
  }
}
