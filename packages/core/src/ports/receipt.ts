import type { Dialect } from "../wire/dialect.ts";
import type { TokenCounts } from "../wire/usage.ts";

export type { TokenCounts } from "../wire/usage.ts";

/** Prices in nano-units per million tokens, and `request` in nano-units per request. */
export interface UnitPrices {
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
  readonly output: bigint;
  readonly request: bigint;
}

/** What is known of a charge when its hold is placed: that of a call of a model, or one that the host makes itself. */
export type HoldReceipt = ModelHoldReceipt | HostHoldReceipt;

/** What is known of a call of a model before it. */
export interface ModelHoldReceipt {
  /** The `x-request-id` of the response, which a client may have chosen. */
  readonly requestId: string;
  /** The public model id. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly description?: undefined;
  readonly metadata?: undefined;
}

/** What a host charges for with `gateway.charges`. */
export interface HostHoldReceipt {
  /** A UUID of the gateway. */
  readonly requestId: string;
  /** 1 to 500 characters, for readers of the ledger and the customer. */
  readonly description: string;
  /** At most 16 members of at most 500 characters. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly model?: undefined;
  readonly dialect?: undefined;
}

/** How a charge was calculated. Its amount is that of the ledger entry. */
export interface ChargeReceipt {
  /** The name of the provider that responded. */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly upstreamModel: string;
  readonly tokens: TokenCounts;
  /**
   * `reported`: the provider's usage. `estimated`: the provider reported none, or not for all of the output. `implausible`:
   * the provider's usage was cut to ten times the hold.
   */
  readonly basis: "reported" | "estimated" | "implausible";
  readonly prices: UnitPrices;
  /** The `aboveInputTokens` of the tier that the prices are of. Absent or undefined: those of the list itself. */
  readonly tier?: number | undefined;
  /** Milliseconds from the request to the charge. */
  readonly durationMs: number;
  /** How the call ended, as `Ending` of the observer: "complete" or "client_gone", for example. */
  readonly status: string;
  /** The id of the answer, such as "chatcmpl-…", as the client has it. Absent or undefined without an answer. */
  readonly answerId?: string | undefined;
}

/**
 * Explains a ledger entry of the kinds `charge`, `expiry` and `late`. `charge` is absent on an expiry, which posts the
 * last renewed cost of a hold whose process died, and on charges of the host.
 */
export type Receipt = HoldReceipt & {
  /** Absent on a charge of the host without a key. */
  readonly keyId?: string;
  readonly charge?: ChargeReceipt;
};
