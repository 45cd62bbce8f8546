/** Time limits for receiving request bodies. */
export interface BodyOptions {
  /** Milliseconds without progress after which a body is refused with 408; 30,000. */
  readonly stalledMs?: number;
  /** Milliseconds after which `minBytesPerSecond` applies; 60,000. */
  readonly slowAfterMs?: number;
  /** The lowest average rate of a body after `slowAfterMs`, in bytes per second; 65,536. */
  readonly minBytesPerSecond?: number;
  /** Milliseconds that a body waits for room in `maxBufferedRequestBytes` before it is refused with 503; 2,000. */
  readonly waitMs?: number;
}
