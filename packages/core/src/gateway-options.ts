import type { BodyOptions } from "./access/limits/body-budget.ts";
import type { RemovedBeta } from "./dialects/messages/request/betas.ts";
import type { ResponseOptions } from "./dialects/responses/response-options.ts";
import type { ContentOptions } from "./events/content-log.ts";
import type { NoticeOptions } from "./events/notice-delivery.ts";
import type { UsageOptions } from "./events/usage-recorder.ts";
import type { CorsOptions } from "./http/cors.ts";
import type { MoneyOptions } from "./money/money-options.ts";
import type { SpendCapOptions } from "./money/spend-cap.ts";
import type { BalanceStore } from "./ports/balance-store.ts";
import type { GatewayExtension } from "./ports/extension.ts";
import type { KeyStore } from "./ports/key-store.ts";
import type { Limiter } from "./ports/limiter.ts";
import type { ModelConfig, Plan, UpstreamLimits } from "./ports/model-config.ts";
import type { OpenApiDocument } from "./ports/mountable.ts";
import type { Observer } from "./ports/observer.ts";
import type { TermsStore, TermsVersion } from "./ports/terms-store.ts";
import type { Transport } from "./ports/transport.ts";
import type { StreamOptions } from "./request/services.ts";
import type { RoutingOptions } from "./routing/routing-options.ts";

/** The options of a gateway. They are checked once and copied, so that later changes have no effect. */
export interface GatewayOptions {
  /** The models to offer, or a function that returns the current list. */
  readonly models: readonly ModelConfig[] | (() => readonly ModelConfig[]);
  readonly keys: KeyStore;
  readonly balances: BalanceStore;
  /** The currency of all amounts, such as "USD", which `GET /credits` names. Absent: it names none. */
  readonly currency?: string;
  readonly plans: readonly Plan[];
  /** The terms that accounts have to accept. Absent: none. */
  readonly terms?: {
    readonly store: TermsStore;
    readonly versions: readonly TermsVersion[] | (() => readonly TermsVersion[]);
  };
  /** Counts requests, tokens and concurrency; `memoryLimiter()` when absent. */
  readonly limiter?: Limiter;
  /** Sends requests to providers; `fetchTransport()` when absent. On Node, pass `pooledTransport()` of `@tollgate/node`. */
  readonly transport?: Transport;
  /** Called for every event. Absent: problems that the host has to fix go to `console.error`, each once per minute. */
  readonly observer?: Observer;
  /** The path of the endpoints for `fetch` where no adapter sets one; "/router/v1". */
  readonly basePath?: string;
  /** Served without a key at `/openapi.json` below the mount point: `routerApi` of `@tollgate/core/openapi`. Absent: it is not served. */
  readonly openapi?: OpenApiDocument;
  /**
   * Answers CORS requests at all endpoints of the router and the sessions: preflights get 204, and errors have the
   * headers too. Absent: the host handles CORS, and the methods HEAD and OPTIONS.
   */
  readonly cors?: CorsOptions;
  /** The largest request body, in bytes; 20,971,520. */
  readonly maxBodyBytes?: number;
  /**
   * The bytes of request bodies that this process holds at the same time, each until no retry needs it. One key may use a
   * quarter, which must be at least `maxBodyBytes`. 268,435,456, or four times `maxBodyBytes` if that is more.
   */
  readonly maxBufferedRequestBytes?: number;
  readonly bodies?: BodyOptions;
  /** The most requests that run in this process at the same time; 10,000. */
  readonly maxInFlight?: number;
  /**
   * The most requests of one key that run in this process at the same time, at all endpoints, counted from before the
   * body is read. The key's own `concurrency` applies too if it is less. A tenth of `maxInFlight`, at least 100.
   */
  readonly maxInFlightPerKey?: number;
  /** The timeout of a store, in milliseconds; 2,000. */
  readonly storeTimeoutMs?: number;
  /**
   * The most failed keys per minute from one client address; 60. Above it, five unknown keys per second are looked up for
   * that address, and the others get 429. Keys that were valid here within a day are not affected. The adapters provide
   * the address, except a loopback or private one, which may be a proxy: in that case, set their option `clientAddress`.
   */
  readonly maxFailedKeysPerMinute?: number;
  /**
   * A random text of at least 32 characters that is the same in all processes, or a list of them, of which the first signs and
   * all verify. It signs what upstreams get in place of `user`, `safety_identifier` and `prompt_cache_key`, and the sealed
   * reasoning of the Responses API. Absent: the API key of the provider signs, so that a change of that key makes clients
   * continue without their earlier reasoning and with cold prompt caches.
   */
  readonly secret?: string | readonly string[];
  readonly upstream?: UpstreamLimits;
  readonly routing?: RoutingOptions;
  readonly streams?: StreamOptions;
  readonly money?: MoneyOptions;
  /** Stores prompts and answers of the models and keys that have `logContent`. Absent: no content is stored. */
  readonly content?: ContentOptions;
  /** Records one row for each request that may call a model. Absent: usage is not recorded. */
  readonly usage?: UsageOptions;
  /**
   * Reports when the upstream cost of all accounts reaches a limit in a calendar window, and stops calls of models if wanted.
   * Needs `usage`, and the `cost` of targets. Absent: no limit.
   */
  readonly spend?: SpendCapOptions;
  /** Tells the host about used spend limits and low balances. Absent: no notices are written. */
  readonly notices?: NoticeOptions;
  /** Stores responses of the Responses API for their account. Absent: they are answered with `store: false`. */
  readonly responses?: ResponseOptions;
  /** How the Messages API is served. */
  readonly messages?: MessagesOptions;
  /** Further parts, each of which adds members to the gateway: `[assistants({ ... })]` of `@tollgate/assistants`. */
  readonly extensions?: readonly GatewayExtension[];
}

/** How the Messages API is served. */
export interface MessagesOptions {
  /**
   * Betas, without their dates, that go to providers of the Messages API in `anthropic-beta` although they change the price
   * or the place of a request. Members that only they need, such as `compaction`, are then sent too; members that are
   * refused with 400, such as `speed`, also need their name in `pricedFields` of the provider. Requests are still held and
   * charged by the price of their model and the usage that the provider reports, so that price must cover what the beta
   * costs beyond. The tokens of a compaction, for example, are not charged.
   * Absent: none.
   */
  readonly allowedBetas?: readonly RemovedBeta[];
}
