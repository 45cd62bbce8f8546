import type { CorsOptions } from "../edge/cors.ts";
import type { GatewayExtension } from "../edge/extension.ts";
import type { BodyOptions } from "../limits/body-options.ts";
import type { MoneyOptions } from "../money/money-options.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { KeyStore } from "../ports/key-store.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { ModelConfig, Plan, UpstreamLimits } from "../ports/model-config.ts";
import type { Observer } from "../ports/observer.ts";
import type { TermsStore, TermsVersion } from "../ports/terms-store.ts";
import type { Transport } from "../ports/transport.ts";
import type { StreamOptions } from "../request/stream-options.ts";
import type { RoutingOptions } from "../routing/routing-options.ts";

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

/** The options of a gateway with an extension, such as assistants. */
export interface ExtendedGatewayOptions<Added extends object> extends GatewayOptions {
  /** Made by `assistants()` of `@tollgate/core/assistants`. */
  readonly assistants: GatewayExtension<Added>;
}
