/** How requests are charged. */
export interface MoneyOptions {
  /** A stream that the upstream broke off: `charge` what was delivered, or `waive` it; `charge` when absent. */
  readonly interrupted?: "charge" | "waive";
  /** The fewest output tokens to which a request without a cap may shrink when funds are short; 256. */
  readonly minAffordableTokens?: number;
  /** Counts the tokens of a prompt or of an output when the provider tells none; absent, or when it fails: estimated from bytes. */
  readonly countTokens?: (text: string, model: string) => number;
  /**
   * A stream whose client leaves, of a model that reasons without showing it: `drain` reads the upstream on for its usage,
   * for up to `readOnMs`; `estimate` ends the call at once. Without usage it is charged for its prompt, the output
   * received, and `hiddenTokensPerSecond` since the call, at most what was held. `drain` when absent.
   */
  readonly hiddenReasoning?: "drain" | "estimate";
  /**
   * Output tokens that are assumed for each second of a call whose reasoning is not shown, when its client left and no
   * usage came, and when the process died; 200. The seconds count from the call of the target that answers.
   */
  readonly hiddenTokensPerSecond?: number;
  /**
   * How long an upstream is read on for its usage after the client has left, in milliseconds; 60,000. This is done for
   * answers in one piece, for hidden reasoning, and for providers that bill a cancelled stream in full; at most a tenth of
   * `maxInFlight` is read on at once, and the others are ended and estimated.
   */
  readonly readOnMs?: number;
  /** Life of a hold without a heartbeat, in milliseconds; 60,000. */
  readonly leaseMs?: number;
  /** Between heartbeats, in milliseconds; a quarter of `leaseMs`, and at most half of it. */
  readonly heartbeatMs?: number;
}
