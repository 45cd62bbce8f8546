import type { CacheTtl } from "../wire/forwarding/cut.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ModelConfig, UpstreamLimits } from "./model-config.ts";
import type { ProviderAdapter } from "./provider-adapter.ts";

/** A price list made ready to reckon with: nano-units per million tokens, and `request` in nano-units per request. */
export interface Price {
  readonly input: bigint;
  readonly output: bigint;
  readonly cachedInput: bigint;
  readonly cacheWrite: bigint;
  /** Written to be kept for an hour. */
  readonly cacheWrite1h: bigint;
  readonly request: bigint;
  /** The dearest that a prompt token can be: what a hold counts for each. */
  readonly highestInput: bigint;
}

/** The time limits of a target, in milliseconds; `totalMs` is that of its model. */
export type TargetLimits = Readonly<Required<UpstreamLimits>>;

/** One place that can serve a model, with its price read. */
export interface ModelTarget {
  readonly provider: ProviderAdapter;
  readonly upstreamModel: string;
  /** The same as JSON, which every request is given. */
  readonly upstreamModelJson: string;
  readonly price: Price;
  /** How long a prefix of a prompt may be kept here, as far as its price list says what that costs. */
  readonly cacheTtls: ReadonlySet<CacheTtl>;
  /** Tokens; infinite when nobody said. */
  readonly contextWindow: number;
  /** Lower ones are tried first. */
  readonly priority: number;
  /** Its share among targets of the same priority. */
  readonly weight: number;
  readonly limits: TargetLimits;
}

/** A model as the steps use it. */
export interface Model {
  readonly id: string;
  /** The same as JSON, which every answer is given. */
  readonly idJson: string;
  /** Its entry in GET /models. */
  readonly entry: JsonObject;
  /** Tokens; the largest of its targets, to one of which a prompt may go; undefined when nobody said. */
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens: number;
  /** The most tokens that one image can have at any target; 0 without vision. */
  readonly imageTokens: number;
  /** The most tokens of a prompt with a part whose tokens nobody knows, at any target. */
  readonly unknownPartTokens: number;
  readonly vision: boolean;
  readonly tools: boolean;
  readonly reasoning: ModelConfig["reasoning"];
  readonly targets: readonly [ModelTarget, ...ModelTarget[]];
  /** True when an upstream refuses fields of a request. */
  readonly refuses: boolean;
  /** Of all targets: a hold covers the dearest. */
  readonly prices: readonly Price[];
}
