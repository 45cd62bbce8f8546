/** How a failed attempt is followed by others. */
export interface RoutingOptions {
  /** Further attempts on the same target; 2. */
  readonly retries?: number;
  /** The longest wait before the first of them, in milliseconds, of which each draws a random part; it doubles. 250. */
  readonly backoffMs?: number;
  /** A `Retry-After` up to this many milliseconds is waited for; a longer one has another target tried at once. 2,000. */
  readonly longestRetryAfterMs?: number;
  /** Failures in a row after which a target is left alone; 5. */
  readonly failuresToOpen?: number;
  /** For how long it is, in milliseconds; then one request tries it. 30,000. */
  readonly openMs?: number;
}
