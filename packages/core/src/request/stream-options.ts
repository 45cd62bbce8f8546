/** How streams are written. */
export interface StreamOptions {
  /** `always` unless the client declines, or only `on-request` as OpenAI does; `always` when absent. */
  readonly usageFrame?: "always" | "on-request";
  /** How long status and headers may wait for the first content, in milliseconds; 10,000. */
  readonly responseStartTimeoutMs?: number;
  /** Silence after which a comment is sent, in milliseconds; 15,000. */
  readonly keepAliveMs?: number;
  /** How long a client may take nothing before it is cut, in milliseconds; 60,000. */
  readonly stalledMs?: number;
  /** Bytes that one stalled client may hold, besides one frame; its upstream is paused at a quarter of it. 262,144. */
  readonly maxBufferedBytesPerStream?: number;
  /** Bytes that all clients together may hold; 67,108,864. */
  readonly maxBufferedBytes?: number;
}
