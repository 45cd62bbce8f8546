import type { Feature } from "../wire/feature.ts";
import type { Json } from "../wire/json.ts";
import type { Limits } from "./key-store.ts";
import type { ProviderAdapter } from "./provider-adapter.ts";

/** Prices in the host's currency, decimal strings with at most 9 decimals: tokens per million, `request` for each request. */
export interface PriceList {
  readonly input: string;
  readonly output: string;
  /** Cached prompt tokens; absent: as `input`. */
  readonly cachedInput?: string;
  /**
   * Prompt tokens written to the cache, to be kept for five minutes. Absent: as `input`, and marks by which clients ask
   * for that (`cache_control`) are not sent to the target.
   */
  readonly cacheWrite?: string;
  /** The same to be kept for an hour (`ttl: "1h"`). Absent: as `cacheWrite`, and those marks are not sent. */
  readonly cacheWrite1h?: string;
  readonly request?: string;
}

/** One place that can serve a model. */
export interface Target {
  readonly provider: ProviderAdapter;
  /** The upstream's own name of the model. */
  readonly model: string;
  /** When it differs from the model's price. */
  readonly price?: PriceList;
  /** Tokens; when it differs from the model's. A prompt that is too long here may go to a target with more. */
  readonly contextWindow?: number;
  /** The most tokens of one image; when it differs from the model's. The most of all targets is held. */
  readonly imageTokens?: number;
  /** Lower ones are tried first, equal ones share by weight. Absent: its place in the list, from 1. */
  readonly priority?: number;
  /** Its share among targets of the same priority; 1. */
  readonly weight?: number;
  /** Time limits of its own; absent ones are the model's. */
  readonly upstream?: AttemptLimits;
}

/** A model as the host offers it. */
export interface ModelConfig {
  /** The public id, sent as `model` by clients. */
  readonly id: string;
  readonly displayName?: string;
  /** "tollgate" when absent. */
  readonly ownedBy?: string;
  /** When absent, the start of the process. */
  readonly created?: Date;
  /** Tokens. */
  readonly contextWindow?: number;
  /** The most tokens that one choice may have; holds are bounded by it. */
  readonly maxOutputTokens: number;
  /** Accepts `image_url` parts; such a model must say its `imageTokens`. */
  readonly vision?: boolean;
  /** Accepts `tools`; true when absent. */
  readonly tools?: boolean;
  /**
   * The most prompt tokens that one image can have, as the upstream counts them; holds are bounded by it. Families
   * differ by a factor of forty: GPT-4o counts at most 1,445, GPT-4o mini 48,169. Required with `vision`.
   */
  readonly imageTokens?: number;
  readonly reasoning?: {
    readonly effortLevels: readonly string[];
    readonly defaultEffort: string;
    /**
     * The deltas of a stream show all of the reasoning, so that what a client has received is what the model made. False
     * when absent: a stream that its client leaves is then charged as `money.hiddenReasoning` says.
     */
    readonly visible?: boolean;
  };
  /** What requests cost prepaid accounts; "free" is said, never assumed. */
  readonly price: PriceList | "free";
  /** Time limits of its own; absent ones are the gateway's. */
  readonly upstream?: UpstreamLimits;
  /** In order of preference, unless they have priorities. */
  readonly targets: readonly Target[];
  /** Further members of the model's entry in GET /models. */
  readonly extra?: Readonly<Record<string, Json>>;
}

/** What a group of keys may do and who pays for it. */
export interface Plan {
  readonly id: string;
  /** `prepaid`: held and charged on the account's balance. `none`: metered and limited only, such as a subscription. */
  readonly billing: "prepaid" | "none";
  /** Absent: every feature, less `response_format` where `billing` is `none`. */
  readonly features?: readonly Feature[];
  /** Public model ids; absent: every model. */
  readonly models?: readonly string[];
  readonly limits?: Limits;
}

/** Time limits of one attempt at a target, in milliseconds. After each of them the next target is tried. */
export interface AttemptLimits {
  /** Until connected; 5,000. */
  readonly connectMs?: number;
  /** Until the first frame of a stream; 60,000, and 300,000 on models with `reasoning`, which may think for minutes. */
  readonly firstFrameMs?: number;
  /**
   * Until the head of an answer in one piece; 300,000. While other targets are left it is at most an equal share of what
   * remains of `totalMs`. A provider or transport that does not tell of the head has its whole answer bounded by this.
   */
  readonly headMs?: number;
  /** Between two frames, and between two pieces of an answer in one piece; 60,000, and 300,000 on models with `reasoning`. */
  readonly idleMs?: number;
}

/** Time limits of calls to providers, in milliseconds. A model or a target may have its own. */
export interface UpstreamLimits extends AttemptLimits {
  /** All attempts of a request together; 600,000. */
  readonly totalMs?: number;
}
