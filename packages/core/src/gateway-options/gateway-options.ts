import type { AssistantOptions } from "../assistants/config/assistant-options.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { Feature, KeyStore, Limits } from "../ports/key-store.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { Observer } from "../ports/observer.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import type { TermsStore, TermsVersion } from "../ports/terms-store.ts";
import type { Transport } from "../ports/transport.ts";
import type { Json } from "../wire/json.ts";

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

/** How a failed attempt is followed by others. */
export interface RoutingOptions {
  /** Further attempts on the same target; 2. */
  readonly retries?: number;
  /** The longest wait before the first of them, in milliseconds, of which each draws a random part; it doubles. 250. */
  readonly backoffMs?: number;
  /** A `Retry-After` up to this many milliseconds is waited for; a longer one has another target tried at once. 2,000. */
  readonly longestRetryAfterMs?: number;
  /** Failures in a row after which a target is left alone; 5. */
  readonly failuresToOpen?: number;
  /** For how long it is, in milliseconds; then one request tries it. 30,000. */
  readonly openMs?: number;
}

/** How streams are written. */
export interface StreamOptions {
  /** `always` unless the client declines, or only `on-request` as OpenAI does; `always` when absent. */
  readonly usageFrame?: "always" | "on-request";
  /** How long status and headers may wait for the first content, in milliseconds; 10,000. */
  readonly commitMs?: number;
  /** Silence after which a comment is sent, in milliseconds; 15,000. */
  readonly keepAliveMs?: number;
  /** How long a client may take nothing before it is cut, in milliseconds; 60,000. */
  readonly stalledMs?: number;
  /** Bytes that one stalled client may hold, besides one frame; its upstream is paused at a quarter of it. 262,144. */
  readonly maxBufferedBytesPerStream?: number;
  /** Bytes that all clients together may hold; 67,108,864. */
  readonly maxBufferedBytes?: number;
}

/** How long the bodies of requests may take. */
export interface BodyOptions {
  /** How long a body may make no progress before 408, in milliseconds; 30,000. */
  readonly stalledMs?: number;
  /** After how many milliseconds a body has to keep up with `minBytesPerSecond`; 60,000. */
  readonly slowAfterMs?: number;
  /** The bytes a second that a body must have come with on average, once `slowAfterMs` have passed; 65,536. */
  readonly minBytesPerSecond?: number;
  /** How long a body waits for room in `maxBufferedRequestBytes` before 503, in milliseconds; 2,000. */
  readonly waitMs?: number;
}

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

/** Which pages of other origins may call the gateway from a browser. Credentials stay off: keys travel in a header. */
export interface CorsOptions {
  /** Origins as browsers send them, such as "https://app.example"; a function that says of one whether it may; or "*" for all. */
  readonly origins: "*" | readonly string[] | ((origin: string) => boolean);
  /** How long a browser may remember the answer to a preflight, in seconds; 600. */
  readonly maxAgeSeconds?: number;
}

/** What a gateway is made of. Everything is checked once and copied; a later change of it has no effect. */
export interface GatewayOptions {
  /** The models on offer, or a function that gives the current list. */
  readonly models: readonly ModelConfig[] | (() => readonly ModelConfig[]);
  readonly keys: KeyStore;
  readonly balances: BalanceStore;
  readonly plans: readonly Plan[];
  /** Absent: no terms to accept. */
  readonly terms?: {
    readonly store: TermsStore;
    readonly versions: readonly TermsVersion[] | (() => readonly TermsVersion[]);
  };
  /** Counts requests, tokens and concurrency; a limiter in memory when absent. */
  readonly limiter?: Limiter;
  /** Carries requests to providers; `fetch` when absent. On Node, pass `pooledTransport()` of `@tollgate/node`. */
  readonly transport?: Transport;
  /** Hears every event. Absent: what the host has to act on goes to `console.error`, each matter once in a minute. */
  readonly observer?: Observer;
  /** The path under which `fetch` finds the endpoints when no adapter says so; "/router/v1". */
  readonly basePath?: string;
  /**
   * Answers CORS requests in every mount, of the router and of the sessions: preflights with 204, and errors carry the
   * headers too. OPTIONS at an endpoint is then the gateway's. Absent: CORS is left to the host, as are HEAD and OPTIONS.
   */
  readonly cors?: CorsOptions;
  /** Largest request body in bytes; 20,971,520. */
  readonly maxBodyBytes?: number;
  /**
   * Bytes of request bodies that this process holds at once, each until no retry needs it; one key may have a quarter of
   * them, which must be at least `maxBodyBytes`. 268,435,456, or four times `maxBodyBytes` where that is more.
   */
  readonly maxBufferedRequestBytes?: number;
  readonly bodies?: BodyOptions;
  /** Requests that may run at once in this process; 10,000. */
  readonly maxInFlight?: number;
  /**
   * Requests of one key that may run at once in this process, at every endpoint and from before the body is read; the
   * key's own `concurrency` counts there too when it is less. A tenth of `maxInFlight`, at least 100.
   */
  readonly maxInFlightPerKey?: number;
  /** How long a store may take to answer, in milliseconds; 2,000. */
  readonly storeTimeoutMs?: number;
  /**
   * Failed keys a minute that one client address may present; 60. Beyond it five unknown keys a second are looked up for
   * that address, the rest get 429, and keys that were good here within a day pass as always. The adapters tell the
   * address, but for a loopback or private one, which may be a proxy with many clients: for that, give them `clientAddress`.
   */
  readonly maxFailedKeysPerMinute?: number;
  readonly upstream?: UpstreamLimits;
  readonly routing?: RoutingOptions;
  readonly streams?: StreamOptions;
  readonly money?: MoneyOptions;
}

/** The options of a gateway with assistants. */
export interface AssistantGatewayOptions extends GatewayOptions {
  readonly assistants: AssistantOptions;
}
