/** Retries and circuit breakers. */
export interface RoutingOptions {
  /** Retries on the same target after its first attempt; 2. */
  readonly retries?: number;
  /** Upper bound of the random wait before the first retry, in milliseconds; it doubles with each retry. 250. */
  readonly backoffMs?: number;
  /** The longest `Retry-After` to wait for, in milliseconds; after a longer one, the next target is tried at once. 2,000. */
  readonly maxRetryAfterMs?: number;
  readonly breaker?: BreakerOptions;
}

/** The circuit breaker of each target. */
export interface BreakerOptions {
  /** Consecutive failures that open it; 5. */
  readonly threshold?: number;
  /** Milliseconds from opening until one probe request may go through; 30,000. */
  readonly cooldownMs?: number;
}

/** The options of retries, with their defaults filled in. */
export type RetrySettings = Required<Omit<RoutingOptions, "breaker">>;

/** The options of a breaker, with their defaults filled in. */
export type BreakerSettings = Required<BreakerOptions>;
