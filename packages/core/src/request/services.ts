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
import type { RoutingOptions } from "../routing/routing-options.ts";
import type { TargetHealth } from "../routing/target-health.ts";
import type { SharedTicker } from "../runtime/shared-ticker.ts";
import type { TermsGate } from "../terms/terms-gate.ts";
import type { StreamOptions } from "./stream-options.ts";

/** The checked options, and the objects that live as long as the gateway. All steps share them. */
export interface Services {
  readonly keys: KeyCache;
  readonly failedKeys: FailedKeys;
  readonly terms: TermsGate;
  readonly limiter: Limiter;
  readonly balances: BalanceStore;
  readonly settlements: Settlements;
  readonly runningHolds: RunningHolds;
  readonly heartbeat: Heartbeat;
  readonly models: ModelCatalogue;
  readonly inFlight: InFlight;
  readonly readingOn: ReadingOn;
  readonly ticker: SharedTicker;
  readonly buffers: BufferBudget;
  readonly unread: UnreadResponses;
  readonly tokens: TokenCounter;
  readonly transport: Transport;
  readonly observe: Observer;
  /** False when there is no observer, so that no events need to be created. */
  readonly observed: boolean;
  readonly storeTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly bodies: Required<BodyOptions>;
  readonly routing: Required<RoutingOptions>;
  readonly health: TargetHealth;
  readonly streams: Required<StreamOptions>;
  readonly money: Required<Omit<MoneyOptions, "countTokens">>;
  /** Returns the plan of a key. Throws for a plan that is not configured. */
  planOf(key: ApiKey): CheckedPlan;
  /** Reports a failed attempt at a target to the observer. */
  reportFailure(request: { readonly requestId: string }, target: ModelTarget, cause: unknown): void;
}
