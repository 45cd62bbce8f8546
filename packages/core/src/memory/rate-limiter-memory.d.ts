declare module "rate-limiter-flexible/lib/RateLimiterMemory.js" {
  /** The one file of rate-limiter-flexible that runs without Node's modules, and the one method used of it. */
  export default class RateLimiterMemory {
    constructor(options: { readonly points: number; readonly duration: number; readonly keyPrefix: string });
    /** Rejects with the same shape when the window has no points left; it knows no other failure. */
    consume(key: string, points: 1): Promise<{ readonly remainingPoints: number; readonly msBeforeNext: number }>;
  }
}
