/** How long the bodies of requests may take. */
export interface BodyOptions {
  /** How long a body may make no progress before 408, in milliseconds; 30,000. */
  readonly stalledMs?: number;
  /** After how many milliseconds a body has to keep up with `minBytesPerSecond`; 60,000. */
  readonly slowAfterMs?: number;
  /** The bytes a second that a body must have come with on average, once `slowAfterMs` have passed; 65,536. */
  readonly minBytesPerSecond?: number;
  /** How long a body waits for room in `maxBufferedRequestBytes` before 503, in milliseconds; 2,000. */
  readonly waitMs?: number;
}
