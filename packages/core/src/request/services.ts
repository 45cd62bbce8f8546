import type { CheckedPlan } from "../catalogue/checked-plan.ts";
import type { ModelCatalogue } from "../catalogue/model-catalogue.ts";
import type { KeyCache } from "../keys/key-cache.ts";
import type { BodyOptions } from "../limits/body-options.ts";
import type { BufferBudget } from "../limits/buffer-budget.ts";
import type { FailedKeys } from "../limits/failed-keys.ts";
import type { InFlight } from "../limits/in-flight.ts";
import type { Heartbeat } from "../money/heartbeat.ts";
import type { MoneyOptions } from "../money/money-options.ts";
import type { ReadingOn } from "../money/reading-on.ts";
import type { RunningHolds } from "../money/running-holds.ts";
import type { Settlements } from "../money/settlements.ts";
import type { TokenCounter } from "../money/token-counter.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { UnreadResponses } from "../ports/gateway-response.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { Observer } from "../ports/observer.ts";
import type { Transport } from "../ports/transport.ts";
import type { RetrySettings } from "../routing/routing-options.ts";
import type { TargetHealth } from "../routing/target-health.ts";
import type { SharedTicker } from "../runtime/shared-ticker.ts";
import type { TermsGate } from "../terms/terms-gate.ts";
import type { StreamOptions } from "./stream-options.ts";

/** What authentication needs. */
export interface KeyServices {
  readonly keys: KeyCache;
  readonly failedKeys: FailedKeys;
  /** The plan of a key. Throws when the host did not configure it. */
  planOf(key: ApiKey): CheckedPlan;
}

/** What the check of terms needs. */
export interface TermsServices {
  readonly terms: TermsGate;
}

/** What every call of a store needs. */
export interface StoreServices {
  readonly storeTimeoutMs: number;
}

/** What counts and reserves in the limits of a key. */
export interface LimitServices extends StoreServices {
  readonly limiter: Limiter;
  readonly money: MoneySettings;
}

/** What admission needs: the requests that run, and the holds and settlements that wait. */
export interface AdmissionServices extends LimitServices {
  readonly inFlight: InFlight;
  readonly heartbeat: Heartbeat;
  readonly settlements: Settlements;
}

/** What reading a body needs. */
export interface BodyServices {
  readonly maxBodyBytes: number;
  readonly bodies: Required<BodyOptions>;
  readonly ticker: SharedTicker;
}

/** What looking a model up needs. */
export interface CatalogueServices {
  readonly models: ModelCatalogue;
}

/** What reading a balance needs. */
export interface BalanceServices extends StoreServices {
  readonly balances: BalanceStore;
}

/** What holding a balance needs: a store may find that key or terms have ended since they were checked. */
export interface HoldServices extends BalanceServices, TermsServices {
  readonly settlements: Settlements;
  readonly money: MoneySettings;
}

/** What reports events. */
export interface ReportServices {
  readonly observe: Observer;
  /** False when nobody observes, so that no event need be made. */
  readonly observed: boolean;
}

/** What a bill needs until it is settled. */
export interface BillServices extends ReportServices {
  readonly limiter: Limiter;
  readonly runningHolds: RunningHolds;
  readonly settlements: Settlements;
  readonly tokens: TokenCounter;
  readonly money: MoneySettings;
}

/** What calling the targets of a model needs. */
export interface CallServices extends BillServices {
  readonly transport: Transport;
  readonly routing: RetrySettings;
  readonly health: TargetHealth;
  readonly ticker: SharedTicker;
  readonly readingOn: ReadingOn;
  /** Tells the observer that an attempt at a target failed. */
  reportFailure(request: { readonly requestId: string }, target: ModelTarget, cause: unknown): void;
}

/** What a stream needs, beside calling the targets. */
export interface StreamServices extends CallServices {
  readonly streams: Required<StreamOptions>;
  readonly buffers: BufferBudget;
}

/** What a mount needs to answer and report any request. */
export interface MountServices extends ReportServices {
  readonly unread: UnreadResponses;
}

/** All that lives as long as the gateway, and its checked options. Each step takes the part that it needs. */
export interface Services
  extends KeyServices,
    AdmissionServices,
    BodyServices,
    CatalogueServices,
    HoldServices,
    StreamServices,
    MountServices {}

type MoneySettings = Required<Omit<MoneyOptions, "countTokens">>;
