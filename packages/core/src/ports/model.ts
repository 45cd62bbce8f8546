import type { CacheTtl } from "../wire/edits.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ChatModelConfig, UpstreamLimits } from "./model-config.ts";
import type { ProviderAdapter } from "./provider-adapter.ts";

/** Parsed prices: nano-units per million tokens, and `request` in nano-units per request. */
export interface Rates {
  readonly input: bigint;
  readonly output: bigint;
  readonly cachedInput: bigint;
  readonly cacheWrite: bigint;
  /** Cache writes with a lifetime of one hour. */
  readonly cacheWrite1h: bigint;
  readonly request: bigint;
  /** The highest price of a prompt token, which holds use. */
  readonly highestInput: bigint;
}

/** The prices of requests with more prompt tokens than a number. */
export interface TierRates extends Rates {
  readonly aboveInputTokens: number;
}

/** A parsed price list. Its own prices apply to requests below the first tier. */
export interface Price extends Rates {
  /** Ascending. */
  readonly tiers: readonly TierRates[];
  /** When the list begins, in milliseconds since the Unix epoch. Undefined: it has always applied. */
  readonly from: number | undefined;
}

/** The time limits of a target, in milliseconds. `totalMs` is that of its model. */
export type TargetLimits = Readonly<Required<UpstreamLimits>>;

/** An upstream model that can serve a model, with its parsed price. */
export interface ModelTarget {
  readonly provider: ProviderAdapter;
  readonly upstreamModel: string;
  /** The same as JSON in UTF-8, for every upstream request. */
  readonly upstreamModelJson: Uint8Array;
  /** Its name among all targets of the model: the provider's name, the upstream's, and a number if these are not unique. */
  readonly identity: string;
  readonly price: Price;
  /** What the host pays, if configured. */
  readonly cost?: Price;
  /** The cache lifetimes that its price list and all tiers of it have a price for. */
  readonly cacheTtls: ReadonlySet<CacheTtl>;
  /** Tokens; infinite if not configured. */
  readonly contextWindow: number;
  /** Targets with a lower number are tried first. */
  readonly priority: number;
  /** Its share among targets of the same priority. */
  readonly weight: number;
  readonly limits: TargetLimits;
}

/** A parsed and checked model, with the price lists of a period. */
export interface Model {
  readonly id: string;
  /** The same as JSON in UTF-8, for every response. */
  readonly idJson: Uint8Array;
  /** Further names, in which `*` matches any text. */
  readonly aliases: readonly string[];
  /** Its entry in GET /models. */
  readonly entry: JsonObject;
  /** Tokens, the largest of its targets; undefined if not configured. */
  readonly contextWindow: number | undefined;
  readonly kind: "chat" | "embedding";
  /** 0 for an embedding model. */
  readonly maxOutputTokens: number;
  /** The most inputs of one request of an embedding model; 0 for a chat model. */
  readonly maxInputs: number;
  /** The length of the vectors of an embedding model, if configured. */
  readonly dimensions: number | undefined;
  /** Maximum tokens of one image at any target; 0 without vision. */
  readonly imageTokens: number;
  /** Maximum tokens, at any target, of a prompt with a part whose tokens cannot be counted. */
  readonly unknownPartTokens: number;
  readonly vision: boolean;
  readonly tools: boolean;
  readonly reasoning: ChatModelConfig["reasoning"];
  readonly targets: readonly [ModelTarget, ...ModelTarget[]];
  /** True when the content of its requests is stored. */
  readonly logContent: boolean;
  /** True when an upstream rejects some fields of a request. */
  readonly refuses: boolean;
  /** The prices of all targets. A hold covers the highest. */
  readonly prices: readonly Price[];
  /** When its price lists begin, in milliseconds since the Unix epoch; minus infinity for the first ones. */
  readonly from: number;
  /** The same model with the price lists that follow. Undefined: these are the last. */
  readonly later: Model | undefined;
}
