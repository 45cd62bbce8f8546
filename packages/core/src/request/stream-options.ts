/** Options for streams. */
export interface StreamOptions {
  /** `always`: a usage frame is sent unless the client declines it. `on-request`: only if the client asks, as with OpenAI. Default: `always`. */
  readonly usageFrame?: "always" | "on-request";
  /** How long status and headers wait for the first content, in milliseconds. Default: 10,000. */
  readonly responseStartTimeoutMs?: number;
  /** Interval of keep-alive comments while there is no content, in milliseconds. Default: 15,000. */
  readonly keepAliveMs?: number;
  /** How long a client may read nothing before it is disconnected, in milliseconds. Default: 60,000. */
  readonly stalledMs?: number;
  /** Maximum unread bytes of one client, plus one frame. Its upstream is paused at a quarter of it. Default: 262,144. */
  readonly maxBufferedBytesPerStream?: number;
  /** Maximum unread bytes of all clients together. Default: 67,108,864. */
  readonly maxBufferedBytes?: number;
}
