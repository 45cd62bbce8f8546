/** Options of charging and holds. */
export interface MoneyOptions {
  /** Whether a stream that the upstream broke off is charged for what was delivered; `charge` when absent. */
  readonly interrupted?: "charge" | "waive";
  /** The lowest output cap that a request without one may get when its balance is low; 256. */
  readonly minAffordableTokens?: number;
  /**
   * The output tokens of one choice that a request reserves in the token window of its key, or its cap if that is lower;
   * 4,096. What it uses beyond them is added when it ends.
   */
  readonly reserveOutputTokens?: number;
  /** Counts the tokens of a prompt or output when the provider reports none. Absent, or if it throws: estimated from the bytes. */
  readonly countTokens?: (text: string, model: string) => number;
  /**
   * What happens when the client of a stream disconnects and the model hides its reasoning. `drain` reads the upstream
   * for up to `usageDrainMs` to get its usage; `estimate` ends the call at once. Without usage, the charge is the prompt, the
   * received output, and `hiddenTokensPerSecond` since the call, at most the hold. `drain` when absent.
   */
  readonly hiddenReasoning?: "drain" | "estimate";
  /**
   * Output tokens assumed per second of a call with hidden reasoning, when its client disconnected without a usage or
   * the process crashed; 200. The time starts with the call of the target that answers.
   */
  readonly hiddenTokensPerSecond?: number;
  /**
   * How long an upstream is read for its usage after the client disconnected, in milliseconds; 60,000. This applies to
   * non-streamed answers, to hidden reasoning, and to providers that bill a cancelled stream in full. At most a tenth of
   * `maxInFlight` is read at once; the other calls are ended and estimated.
   */
  readonly usageDrainMs?: number;
  /** How long a hold lasts without a renewal, in milliseconds; 60,000. */
  readonly leaseMs?: number;
  /** The time between two renewals, in milliseconds, at most half of `leaseMs`; a quarter of `leaseMs`. */
  readonly heartbeatMs?: number;
}
