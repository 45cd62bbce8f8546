import type { AttemptFailure } from "../errors/provider-error.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ChatModelConfig, Plan } from "./model-config.ts";
import type { UnitPrices } from "./receipt.ts";
import type { SpendLimit } from "./spend-limit.ts";
import type { TermsVersion } from "./terms-store.ts";

/**
 * The state of a circuit breaker. `open`: the target is not called. `half_open`: the cooldown is over, and the next
 * request is a probe.
 */
export type BreakerState = "closed" | "open" | "half_open";

/** Prices per million tokens, those of requests with longer prompts, and since when they apply. */
export interface ListedPrices extends UnitPrices {
  /** Ascending. Absent: the prices do not depend on the prompt. */
  readonly tiers?: readonly TierPrices[];
  /** Absent: always. */
  readonly from?: Date;
}

/** The prices of requests with more prompt tokens than a number. */
export interface TierPrices extends UnitPrices {
  readonly aboveInputTokens: number;
}

/** The prices that apply at this moment, and those that follow, by their `from`. */
export interface CurrentPrices extends ListedPrices {
  /** Absent: none. */
  readonly later?: readonly ListedPrices[];
}

/** A target of a model. */
export interface TargetState {
  /** The name of its provider. */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly upstreamModel: string;
  readonly priority: number;
  readonly weight: number;
  /** Tokens. Absent: unlimited. */
  readonly contextWindow?: number;
  readonly price: CurrentPrices;
  /** What the host pays. Absent: not known. */
  readonly cost?: CurrentPrices;
  readonly breaker: BreakerState;
  /** The end of the cooldown of an open breaker. */
  readonly breakerUntil?: Date;
  /** When a breaker opened that is open or half-open. */
  readonly breakerSince?: Date;
  /** The last failure that opened it, or kept it open. */
  readonly breakerCause?: AttemptFailure;
  /** Charges that were cut to ten times the hold since the start of this process. Absent: none. */
  readonly implausibleUsage?: { readonly count: number; readonly lastAt: Date };
}

/** A model that the gateway offers. */
export interface ModelState {
  readonly id: string;
  /** Its entry in GET /models. */
  readonly entry: JsonObject;
  /** Tokens. Absent: unlimited. */
  readonly contextWindow?: number;
  readonly kind: "chat" | "embedding";
  /** 0 for an embedding model. */
  readonly maxOutputTokens: number;
  readonly vision: boolean;
  readonly tools: boolean;
  readonly reasoning?: NonNullable<ChatModelConfig["reasoning"]>;
  /** In the order of their priority. */
  readonly targets: readonly TargetState[];
}

/** What is spent of the option `spend` in its present window, as far as this process knows. Amounts are in nano-units. */
export interface SpendCapState {
  readonly limit: SpendLimit;
  /** The upstream cost of all accounts. */
  readonly spent: bigint;
  /** The start of the next window. */
  readonly resetsAt: Date;
  /** True: calls are refused when the limit is reached. */
  readonly stops: boolean;
}

/** What a gateway offers and how it does at this moment. It contains no secret. */
export interface GatewayState {
  /** When the gateway was created. */
  readonly startedAt: Date;
  readonly models: readonly ModelState[];
  readonly plans: readonly Plan[];
  readonly terms: {
    /** The id of the version that accounts have to accept. Absent: none. */
    readonly inForce?: string;
    readonly versions: readonly TermsVersion[];
  };
  /** The number of running requests and open charges of the host. */
  readonly inFlight: number;
  /** True after the call of `drain`. */
  readonly draining: boolean;
  /** The number of holds of running requests and of the host in this process. */
  readonly holds: number;
  /** The usage rows that wait for the store, and those that were dropped because too many waited. Absent: usage is not recorded. */
  readonly usage?: { readonly pending: number; readonly dropped: number };
  /** Absent: the gateway has no option `spend`. */
  readonly spend?: SpendCapState;
  /** The number of settlements and releases that the balance store has not taken yet. */
  readonly settlementsWaiting: number;
  /** True while new requests get 503 because too many settlements are delayed, or one for too long. */
  readonly settlementsBehind: boolean;
}
