import type { FreezeGate } from "../access/freeze-gate.ts";
import type { KeyCache } from "../access/key-cache.ts";
import type { BodyOptions } from "../access/limits/body-budget.ts";
import type { BufferBudget } from "../access/limits/buffer-budget.ts";
import type { FailedKeys } from "../access/limits/failed-keys.ts";
import type { InFlight, KeySlots, UsageDrains } from "../access/limits/in-flight.ts";
import type { TermsGate } from "../access/terms-gate.ts";
import type { TokenGate } from "../access/token-gate.ts";
import type { UsageRecorder } from "../events/usage-recorder.ts";
import type { RunningHolds } from "../money/heartbeat.ts";
import type { MoneyOptions } from "../money/money-options.ts";
import type { Settlements } from "../money/settlements.ts";
import type { SpendCap } from "../money/spend-cap.ts";
import type { TokenCounter } from "../money/token-counter.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { ResponseStream, UnreadResponses } from "../ports/gateway-response.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { Model, ModelTarget } from "../ports/model.ts";
import type { Observer } from "../ports/observer.ts";
import type { ResponseStore } from "../ports/response-store.ts";
import type { NoticeRules } from "../ports/spend-limit.ts";
import type { Transport } from "../ports/transport.ts";
import type { CheckedPlan } from "../routing/checked-plan.ts";
import type { Snapshot } from "../routing/model-catalogue.ts";
import type { RetrySettings } from "../routing/routing-options.ts";
import type { TargetHealth } from "../routing/target-health.ts";
import type { Background } from "../runtime/background.ts";
import type { SharedTicker } from "../runtime/shared-ticker.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Exchange } from "./exchange.ts";
import type { PaidCall } from "./paid-call.ts";

/** All objects that live as long as the gateway, and its checked options. */
export interface Services {
  readonly keys: KeyCache;
  readonly failedKeys: FailedKeys;
  /** The tokens that an extension accepts in place of keys. */
  readonly accessTokens: TokenGate;
  /** Returns the plan of a key. Throws for a plan that is not configured. */
  planOf(key: ApiKey): CheckedPlan;
  readonly terms: TermsGate;
  /** The models that the gateway offers, by id. */
  readonly models: Snapshot<Model>;

  /** The limit of every call of a store. */
  readonly storeTimeoutMs: number;
  readonly balances: BalanceStore;
  /** The currency of all amounts, as it is shown to customers. */
  readonly currency: string | undefined;
  readonly freezes: FreezeGate;
  readonly limiter: Limiter;

  readonly inFlight: InFlight;
  /** The calls that only count tokens. */
  readonly counting: KeySlots;
  /** The requests that only read the account. */
  readonly reading: KeySlots;
  /** The work that goes on between requests, from the first one to the end of a drain. */
  readonly background: Background;
  readonly maxBodyBytes: number;
  readonly bodies: Required<BodyOptions>;
  readonly ticker: SharedTicker;
  readonly buffers: BufferBudget;
  readonly unread: UnreadResponses;

  readonly money: Required<Omit<MoneyOptions, "countTokens">>;
  readonly settlements: Settlements;
  readonly runningHolds: RunningHolds;
  readonly tokens: TokenCounter;
  readonly usageDrains: UsageDrains;
  /** When holds write notices. Undefined without the option `notices`. */
  readonly notices: NoticeRules | undefined;

  readonly transport: Transport;
  readonly routing: RetrySettings;
  readonly health: TargetHealth;
  readonly streams: Required<StreamOptions>;
  /** The keys of signatures: the first signs, and all verify. Empty without the option `secret`. */
  readonly secrets: readonly string[];
  /** Betas of the Messages API, without their dates, that the host allows although they change the price or the place of a request. */
  readonly allowedBetas: ReadonlySet<string>;
  /** Stores responses. Undefined without the option `responses`. */
  readonly responses: ResponseStorage | undefined;

  readonly observe: Observer;
  /** False if the observer needs only problems and usage is not recorded: no events of other requests are created then. */
  readonly observed: boolean;
  /** Reports a failed attempt at a target to the observer. */
  reportFailure(exchange: Exchange, target: ModelTarget, cause: unknown): void;
  /** Records the usage of requests. Undefined without the option `usage`. */
  readonly usage: UsageRecorder | undefined;
  /** Counts the upstream cost of all accounts. Undefined without the option `spend`. */
  readonly spendCap: SpendCap | undefined;
  /** Stores the content of requests. Undefined without the option `content`. */
  readonly content: ContentService | undefined;
}

/** Merges the frames that a client received into one answer. Returns undefined if they have none. */
export type MergeFrames = (frames: readonly JsonObject[]) => object | undefined;

/** Stores the content of requests whose model or key asks for it. */
export interface ContentService {
  /** Stores a request and its answer in one piece, as JSON text or in UTF-8. */
  logCompletion(paid: PaidCall, json: string | Uint8Array): void;
  /** Returns a stream that stores the request and the merged frames when it ends; `body` itself if they are not asked for. */
  logStream(paid: PaidCall, body: ResponseStream, merge: MergeFrames): ResponseStream;
  /** Stores what waits. Resolves when it is stored or has failed once. */
  flush(): Promise<void>;
}

/** How responses are stored. */
export interface ResponseStorage {
  readonly store: ResponseStore;
  readonly ttlMs: number;
  /** The most bytes of all stored responses of one account. */
  readonly maxAccountBytes: number;
}

/** Options for streams. */
export interface StreamOptions {
  /** `always`: a usage frame is sent unless the client declines it. `on-request`: only if the client asks, as with OpenAI. Default: `always`. */
  readonly usageFrame?: "always" | "on-request";
  /** How long status and headers wait for the first content, in milliseconds. Default: 10,000. */
  readonly responseStartTimeoutMs?: number;
  /** Interval of keep-alive comments while there is no content, in milliseconds. Default: 15,000. */
  readonly keepAliveMs?: number;
  /** How long a client may read nothing before it is disconnected, in milliseconds. Default: 60,000. */
  readonly stalledMs?: number;
  /** Maximum unread bytes of one client, plus one frame. Its upstream is paused at a quarter of it. Default: 262,144. */
  readonly maxBufferedBytesPerStream?: number;
  /** Maximum unread bytes of all clients together. Default: 67,108,864. */
  readonly maxBufferedBytes?: number;
}
