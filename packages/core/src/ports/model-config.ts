import type { Dialect } from "../wire/dialect.ts";
import type { Feature } from "../wire/feature.ts";
import type { Json } from "../wire/json.ts";
import type { Limits } from "./key-store.ts";
import type { ProviderAdapter } from "./provider-adapter.ts";
import type { SpendWindow } from "./spend-limit.ts";

/** Prices in the host's currency, as decimal strings with at most 9 decimals: per million tokens, and `request` per request. */
export interface PriceList {
  readonly input: string;
  readonly output: string;
  /** Cached prompt tokens. Absent: as `input`. */
  readonly cachedInput?: string;
  /**
   * Prompt tokens written to the cache for five minutes. Absent: as `input`, and the `cache_control` marks of clients are
   * not sent to the target.
   */
  readonly cacheWrite?: string;
  /** Prompt tokens written to the cache for one hour (`ttl: "1h"`). Absent: as `cacheWrite`, and marks with this `ttl` are not sent. */
  readonly cacheWrite1h?: string;
  readonly request?: string;
  /** The prices of requests with longer prompts, ascending. The tier of its prompt tokens applies to the whole request. */
  readonly tiers?: readonly PriceTier[];
  /** From when the list applies, for all processes alike. Absent: always. */
  readonly from?: Date;
}

/** Prices of requests with more than a number of prompt tokens. Absent members are derived as in {@link PriceList}. */
export interface PriceTier extends Omit<PriceList, "request" | "tiers" | "from"> {
  readonly aboveInputTokens: number;
}

/** A price list, or several with different `from`, of which the newest that has begun applies. One of them has no `from`. */
export type Prices = PriceList | readonly PriceList[];

/** An upstream model that can serve a model. */
export interface Target {
  readonly provider: ProviderAdapter;
  /** The upstream's name of the model. */
  readonly model: string;
  /** Absent: the price of the model. */
  readonly price?: Prices;
  /** What the host pays for the target, from which usage reports the upstream cost. Absent: not known. */
  readonly cost?: Prices;
  /** Tokens. Absent: as the model. A prompt that is too long for this target may go to one with a larger window. */
  readonly contextWindow?: number;
  /** Maximum tokens of one image. Absent: as the model. Holds use the maximum of all targets. */
  readonly imageTokens?: number;
  /** Targets with a lower number are tried first. Equal ones share the load by weight. Absent: the position in the list, from 1. */
  readonly priority?: number;
  /** Its share among targets of the same priority. Default: 1. */
  readonly weight?: number;
  /** Time limits. Absent members are those of the model. */
  readonly upstream?: AttemptLimits;
}

/** The configuration of a model, by its kind. */
export type ModelConfig = ChatModelConfig | EmbeddingModelConfig;

/** The members that models of every kind have. */
interface AnyModelConfig {
  /** The public id, sent as `model` by clients. */
  readonly id: string;
  /**
   * Further names that clients may send as `model`, such as "claude-*", in which `*` matches any text. An id or an exact
   * alias takes precedence over a pattern, and a longer pattern over a shorter one. Answers, lists, receipts and the
   * `models` of plans and keys have the id.
   */
  readonly aliases?: readonly string[];
  readonly displayName?: string;
  /** Default: "tollgate". */
  readonly ownedBy?: string;
  /** Default: the start of the process. */
  readonly created?: Date;
  /** Tokens. For an embedding model, those of one input. */
  readonly contextWindow?: number;
  /** The price of requests for prepaid accounts. A free model must be marked as "free". Embeddings have no output. */
  readonly price: Prices | "free";
  /** Time limits. Absent members are those of the gateway. */
  readonly upstream?: UpstreamLimits;
  /** In order of preference, unless they have priorities. */
  readonly targets: readonly Target[];
  /** True: the content of its requests is stored, if the gateway has the option `content`. Default: false. */
  readonly logContent?: boolean;
  /**
   * True: prices of tokens above 0 and below 0.0001 per million are accepted. Default: false, since such a price is
   * usually that of one token.
   */
  readonly allowTinyPrices?: boolean;
  /** Further members of the model's entry in GET /models. */
  readonly extra?: Readonly<Record<string, Json>>;
}

/** The configuration of a model that answers chat completions, Messages and Responses. */
export interface ChatModelConfig extends AnyModelConfig {
  readonly kind?: "chat";
  /** Maximum output tokens of one choice. Holds use it as the upper bound. */
  readonly maxOutputTokens: number;
  /** Accepts `image_url` parts. Requires `imageTokens`. */
  readonly vision?: boolean;
  /** Accepts `tools`. Default: true. */
  readonly tools?: boolean;
  /**
   * Maximum prompt tokens of one image, as the upstream counts them. Holds use it as the upper bound. Model families differ
   * widely: GPT-4o counts at most 1,445, GPT-4o mini 48,169. Required with `vision`.
   */
  readonly imageTokens?: number;
  readonly reasoning?: {
    readonly effortLevels: readonly string[];
    readonly defaultEffort: string;
    /**
     * True when the deltas of a stream contain all of the reasoning, so that delivered output can be counted. Default: false,
     * and a stream that its client leaves is charged by `money.hiddenReasoning`.
     */
    readonly visible?: boolean;
  };
  readonly maxInputs?: never;
  readonly dimensions?: never;
}

/** The configuration of a model that answers embeddings. The providers of its targets must declare the dialect. */
export interface EmbeddingModelConfig extends AnyModelConfig {
  readonly kind: "embedding";
  /** The most inputs of one request. Default: 2,048, which is also the maximum. */
  readonly maxInputs?: number;
  /** The length of its vectors, and the most that a client may ask for with `dimensions`. Absent: not checked. */
  readonly dimensions?: number;
  readonly maxOutputTokens?: never;
  readonly vision?: never;
  readonly tools?: never;
  readonly imageTokens?: never;
  readonly reasoning?: never;
}

/** The features, dialects, models, limits and billing of a group of keys. */
export interface Plan {
  readonly id: string;
  /** `prepaid`: requests are held and charged on the account's balance. `none`: they are only metered and limited, as with a subscription. */
  readonly billing: "prepaid" | "none";
  /** Absent: every feature, except `response_format` if `billing` is `none`. */
  readonly features?: readonly Feature[];
  /** The APIs that its keys may use. Absent: all. Every key may list models, and use the sessions of assistants. */
  readonly dialects?: readonly Dialect[];
  /** Public model ids. Absent: every model. */
  readonly models?: readonly string[];
  readonly limits?: PlanLimits;
  /** The most that each account of the plan may spend, unless it has a limit of its own. Only with prepaid billing. */
  readonly spend?: PlanSpend;
  /** What each account of the plan is granted in each window. Only with prepaid billing. */
  readonly allowance?: PlanAllowance;
}

/** The limits of a plan. */
export interface PlanLimits extends Limits {
  /**
   * What the limits are counted for: `key`, each key; or `account`, all keys of an account in this plan together, so that more
   * keys give no more. A key with limits of its own is counted by itself. Default: `key`.
   */
  readonly per?: "key" | "account";
}

/** What a plan grants each of its accounts once in each window. It expires when the window ends. */
export interface PlanAllowance {
  /** A decimal string in the host's currency, with at most 9 decimals. */
  readonly amount: string;
  readonly window: Exclude<SpendWindow, "total">;
  /** An IANA time zone, such as "Europe/Berlin", in which windows begin. Default: UTC. */
  readonly timezone?: string;
}

/** The default spend limit of the accounts of a plan. */
export interface PlanSpend {
  /** A decimal string in the host's currency, with at most 9 decimals. */
  readonly limit: string;
  readonly window: SpendWindow;
  /** An IANA time zone, such as "Europe/Berlin", in which windows begin. Default: UTC. */
  readonly timezone?: string;
  /** Ids of models, in which `*` matches any text. Only their requests count, and are refused. Default: all. */
  readonly models?: readonly string[];
}

/** Time limits of one attempt at a target, in milliseconds. When one is exceeded, the next target is tried. */
export interface AttemptLimits {
  /** Until the connection is established. Default: 5,000. */
  readonly connectMs?: number;
  /** Until the first frame of a stream. Default: 60,000, and 300,000 for models with `reasoning`, which may take minutes. */
  readonly firstFrameMs?: number;
  /**
   * Until the head of a response without streaming. Default: 300,000. While other targets remain, it is at most an equal
   * share of the rest of `totalMs`. If a provider or transport does not report the head, it applies to the whole response.
   */
  readonly headMs?: number;
  /** Between two frames of a stream, and between two chunks of a response without streaming. Default: 60,000, and 300,000 for models with `reasoning`. */
  readonly idleMs?: number;
}

/** Time limits of provider calls, in milliseconds. Models and targets may override them. */
export interface UpstreamLimits extends AttemptLimits {
  /** All attempts of a request together. Default: 600,000. */
  readonly totalMs?: number;
}
