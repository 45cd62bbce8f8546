import type { CheckedPlan } from "../catalogue/checked-plan.ts";
import type { ModelCatalogue } from "../catalogue/model-catalogue.ts";
import type { KeyCache } from "../keys/key-cache.ts";
import type { BodyOptions } from "../limits/body-options.ts";
import type { BufferBudget } from "../limits/buffer-budget.ts";
import type { FailedKeys } from "../limits/failed-keys.ts";
import type { InFlight } from "../limits/in-flight.ts";
import type { KeySlots } from "../limits/key-slots.ts";
import type { Background, RunningHolds } from "../money/heartbeat.ts";
import type { MoneyOptions } from "../money/money-options.ts";
import type { ReadingOn } from "../money/reading-on.ts";
import type { Settlements } from "../money/settlements.ts";
import type { TokenCounter } from "../money/token-counter.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { UnreadResponses } from "../ports/gateway-response.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { Observer } from "../ports/observer.ts";
import type { NoticeRules } from "../ports/spend-limit.ts";
import type { Transport } from "../ports/transport.ts";
import type { RetrySettings } from "../routing/routing-options.ts";
import type { TargetHealth } from "../routing/target-health.ts";
import type { SharedTicker } from "../runtime/shared-ticker.ts";
import type { TermsGate } from "../terms/terms-gate.ts";
import type { ContentService, ResponseStorage, UsageService } from "./gateway-parts.ts";
import type { RequestContext } from "./request-stages.ts";
import type { StreamOptions } from "./stream-options.ts";

/** The services of authentication. */
export interface KeyServices {
  readonly keys: KeyCache;
  readonly failedKeys: FailedKeys;
  /** Returns the plan of a key. Throws for a plan that is not configured. */
  planOf(key: ApiKey): CheckedPlan;
}

/** The services of the terms check. */
export interface TermsServices {
  readonly terms: TermsGate;
}

/** The settings of every store call. */
export interface StoreServices {
  readonly storeTimeoutMs: number;
}

/** The services that count against the limits of a key. */
export interface LimitServices extends StoreServices {
  readonly limiter: Limiter;
  readonly money: MoneySettings;
}

/** The services of admission: running requests, and pending holds and settlements. */
export interface AdmissionServices extends LimitServices {
  readonly inFlight: InFlight;
  /** The work that goes on between requests, from the first one to the end of a drain. */
  readonly background: Background;
  readonly settlements: Settlements;
}

/** The services that read bodies. */
export interface BodyServices {
  readonly maxBodyBytes: number;
  readonly bodies: Required<BodyOptions>;
  readonly ticker: SharedTicker;
}

/** The services that look up models. */
export interface CatalogueServices {
  readonly models: ModelCatalogue;
}

/** The services that read balances. */
export interface BalanceServices extends StoreServices {
  readonly balances: BalanceStore;
}

/** The secrets of the gateway. */
export interface SecretServices {
  /** The keys of signatures: the first signs, and all verify. Empty without the option `secret`. */
  readonly secrets: readonly string[];
}

/** The services of dialects that keep state. */
export interface DialectServices extends StoreServices, SecretServices, Pick<ReportServices, "observe">, BodyServices {
  /** Stores responses. Undefined without the option `responses`. */
  readonly responses: ResponseStorage | undefined;
  /** Betas of the Messages API, without their dates, that the host allows although they change the price or the place of a request. */
  readonly allowedBetas: ReadonlySet<string>;
}

/** The services that place holds. A store may find that the key or the terms have expired since they were checked. */
export interface HoldServices extends BalanceServices, TermsServices {
  readonly settlements: Settlements;
  readonly money: MoneySettings;
  /** When holds write notices. Undefined without the option `notices`. */
  readonly notices: NoticeRules | undefined;
}

/** The services that report events. */
export interface ReportServices {
  readonly observe: Observer;
  /** False if the observer needs only problems and usage is not recorded: no events of other requests are created then. */
  readonly observed: boolean;
}

/** The services of a bill until it is settled. */
export interface BillServices extends ReportServices {
  readonly limiter: Limiter;
  readonly runningHolds: RunningHolds;
  readonly settlements: Settlements;
  readonly tokens: TokenCounter;
  readonly money: MoneySettings;
  readonly health: TargetHealth;
}

/** The services that call the targets of a model. */
export interface CallServices extends BillServices, SecretServices {
  readonly transport: Transport;
  readonly routing: RetrySettings;
  readonly ticker: SharedTicker;
  readonly readingOn: ReadingOn;
  /** Reports a failed attempt at a target to the observer. */
  reportFailure(request: Pick<RequestContext, "requestId" | "meta">, target: ModelTarget, cause: unknown): void;
}

/** The services of a stream, in addition to those that call targets. */
export interface StreamServices extends CallServices {
  readonly streams: Required<StreamOptions>;
  readonly buffers: BufferBudget;
}

/** The service that stores the content of requests. */
export interface ContentServices {
  /** Undefined without the option `content`. */
  readonly content: ContentService | undefined;
}

/** The services of a mount. */
export interface MountServices extends ReportServices {
  readonly unread: UnreadResponses;
}

/** All objects that live as long as the gateway, and its checked options. Each step declares the part that it needs. */
export interface Services
  extends KeyServices,
    AdmissionServices,
    BodyServices,
    CatalogueServices,
    DialectServices,
    HoldServices,
    StreamServices,
    ContentServices,
    MountServices {
  /** Records the usage of requests. Undefined without the option `usage`. */
  readonly usage: UsageService | undefined;
  /** The calls that only count tokens. */
  readonly counting: KeySlots;
}

type MoneySettings = Required<Omit<MoneyOptions, "countTokens">>;
