declare module "rate-limiter-flexible/lib/RateLimiterMemory.js" {
  import type { RateLimiterMemory } from "rate-limiter-flexible";

  /** The direct import that rate-limiter-flexible documents; its main module needs `cluster` and `crypto` of Node. */
  const memory: typeof RateLimiterMemory;
  export default memory;
}
