import { FreezeGate } from "./access/freeze-gate.ts";
import { KeyCache } from "./access/key-cache.ts";
import { BodyBudget } from "./access/limits/body-budget.ts";
import { BufferBudget } from "./access/limits/buffer-budget.ts";
import { BufferedResponses } from "./access/limits/buffered-responses.ts";
import { FailedKeys } from "./access/limits/failed-keys.ts";
import { InFlight, KeySlots, UsageDrains } from "./access/limits/in-flight.ts";
import { termsGate } from "./access/terms-gate.ts";
import { TokenGate } from "./access/token-gate.ts";
import type { ResponseOptions } from "./dialects/responses/response-options.ts";
import { attemptFailure } from "./errors/provider-error.ts";
import { consoleObserver } from "./events/console-observer.ts";
import { ContentLog } from "./events/content-log.ts";
import { NoticeDelivery, noticeRules } from "./events/notice-delivery.ts";
import { shielded } from "./events/shielded.ts";
import { UsageRecorder } from "./events/usage-recorder.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { memoryLimiter } from "./memory/memory-limiter.ts";
import { Heartbeat, RunningHolds, responseSweep } from "./money/heartbeat.ts";
import { Settlements } from "./money/settlements.ts";
import { SpendCap } from "./money/spend-cap.ts";
import { TokenCounter } from "./money/token-counter.ts";
import { messageOf } from "./options/problems.ts";
import type { Observer } from "./ports/observer.ts";
import { fetchTransport } from "./providers/fetch-transport.ts";
import type { ResponseStorage, Services } from "./request/services.ts";
import { planLookup } from "./routing/checked-plan.ts";
import { shortestLimit } from "./routing/model.ts";
import { modelCatalogue } from "./routing/model-catalogue.ts";
import type { BreakerSettings } from "./routing/routing-options.ts";
import { TargetHealth } from "./routing/target-health.ts";
import { Background } from "./runtime/background.ts";
import { SharedTicker } from "./runtime/shared-ticker.ts";
import { RequestContentLog } from "./steps/log-content.ts";

/** Creates the services of a gateway from checked options, with defaults for those that are absent. */
export function assembleServices(options: GatewayOptions): Services {
  const { balances, content, notices, responses, maxInFlight = 10_000, storeTimeoutMs = 2_000 } = options;
  const { limiter = memoryLimiter() } = options;
  const { observe, observed, usage, spendCap } = makeObservers(options, storeTimeoutMs);
  const defaults = withDefaults(options);
  const { routing, breaker, streams, bodies, money } = defaults;
  const runningHolds = new RunningHolds(balances, limiter, money.leaseMs, (holdId) =>
    observe({ type: "hold.lost", at: Date.now(), holdId }),
  );
  const failedKeys = new FailedKeys(limiter, options.maxFailedKeysPerMinute ?? 60, storeTimeoutMs);
  const ticker = tickerFor(options, defaults);
  const buffers = new BufferBudget(streams.maxBufferedBytes);
  return {
    keys: new KeyCache(options.keys, storeTimeoutMs, failedKeys),
    failedKeys,
    accessTokens: new TokenGate(options.keys, storeTimeoutMs),
    terms: termsGate(options.terms, storeTimeoutMs),
    limiter,
    balances,
    currency: options.currency,
    freezes: new FreezeGate(balances, storeTimeoutMs),
    settlements: new Settlements(balances, runningHolds, observe, storeTimeoutMs),
    runningHolds,
    background: new Background([
      new Heartbeat(runningHolds, balances, observe, money.heartbeatMs, storeTimeoutMs),
      ...(notices === undefined ? [] : [new NoticeDelivery(notices, observe, storeTimeoutMs)]),
      ...(responses === undefined ? [] : [responseSweep(responses.store, observe, storeTimeoutMs)]),
      ...(spendCap === undefined ? [] : [spendCap]),
    ]),
    notices: notices && noticeRules(notices),
    responses: responses && responseStorage(responses),
    secrets: typeof options.secret === "string" ? [options.secret] : (options.secret ?? []),
    allowedBetas: new Set(options.messages?.allowedBetas),
    models: catalogueOf(options, observe),
    inFlight: inFlight(options),
    counting: new KeySlots(maxCountsPerKey),
    reading: new KeySlots(maxReadsPerKey),
    usageDrains: new UsageDrains(Math.max(1, Math.floor(maxInFlight / 10))),
    ticker,
    buffers,
    unread: new BufferedResponses(buffers, ticker, streams.stalledMs),
    transport: options.transport ?? fetchTransport(),
    observe,
    observed,
    usage,
    spendCap,
    storeTimeoutMs,
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    bodies,
    routing,
    health: targetHealth(breaker, observe),
    streams,
    content: content && new RequestContentLog(new ContentLog(content, observe, storeTimeoutMs)),
    money,
    planOf: planLookup(options.plans),
    tokens: new TokenCounter(options.money?.countTokens),
    reportFailure: failureReporter(observe),
  };
}

const catalogueOf = ({ models, upstream = {} }: GatewayOptions, observe: Observer): Services["models"] =>
  modelCatalogue(models, upstream, (cause) => observe({ type: "configuration.failed", at: Date.now(), cause }));

const targetHealth = (breaker: BreakerSettings, observe: Observer): TargetHealth =>
  new TargetHealth(breaker, ({ provider, upstreamModel }, change) =>
    observe({ type: `target.${change}`, at: Date.now(), provider: provider.name, upstreamModel }),
  );

const responseStorage = ({
  store,
  retentionDays = 30,
  maxAccountBytes = 268_435_456,
}: ResponseOptions): ResponseStorage => ({ store, ttlMs: retentionDays * 86_400_000, maxAccountBytes });

function failureReporter(observe: Observer): Services["reportFailure"] {
  return ({ requestId, report }, target, cause) => {
    const failed = attemptFailure(cause);
    const durationMs = report.attemptFailed(target, failed);
    const { provider, upstreamModel } = target;
    const attempt = { provider: provider.name, upstreamModel, detail: messageOf(cause), durationMs };
    observe({ type: "attempt.failed", at: Date.now(), requestId, ...attempt, ...failed });
  };
}

/** Creates what receives the events: the observer of the host, the recorder of usage, and the cap of what is spent. */
function makeObservers({ observer = consoleObserver(), spend, ...options }: GatewayOptions, storeTimeoutMs: number) {
  const host = shielded(observer);
  const usage = options.usage && new UsageRecorder(options.usage, host);
  const store = options.usage?.store;
  const spendCap = spend && store && usage && new SpendCap(spend, { store, recorder: usage }, host, storeTimeoutMs);
  const recorded = usage === undefined ? host : both(host, usage.take);
  return {
    observe: spendCap === undefined ? recorded : both(recorded, spendCap.take),
    observed: usage !== undefined || !("problemsOnly" in observer),
    usage,
    spendCap,
  };
}

function both(a: Observer, b: Observer): Observer {
  return (event) => {
    a(event);
    b(event);
  };
}

/** Agents count tokens often, and one at a time. */
const maxCountsPerKey = 4;
/** Agents read a balance now and then, and a page a few values at once. */
const maxReadsPerKey = 8;
const defaultMaxBodyBytes = 20_971_520;

function inFlight({ maxInFlight = 10_000, maxInFlightPerKey, ...options }: GatewayOptions): InFlight {
  const { maxBodyBytes = defaultMaxBodyBytes, maxBufferedRequestBytes } = options;
  const bodies = new BodyBudget(maxBufferedRequestBytes ?? Math.max(268_435_456, 4 * maxBodyBytes));
  const perKey = maxInFlightPerKey ?? Math.max(100, Math.floor(maxInFlight / 10));
  return new InFlight({ all: maxInFlight, perKey }, bodies);
}

/** Its period fits the shortest of the time limits that it checks. */
function tickerFor(options: GatewayOptions, { streams, bodies, money }: Defaults): SharedTicker {
  const { responseStartTimeoutMs, keepAliveMs, stalledMs } = streams;
  const ofBodies = [bodies.stalledMs, bodies.slowAfterMs, bodies.waitMs];
  return new SharedTicker(
    Math.min(shortestLimit(options), money.usageDrainMs, responseStartTimeoutMs, keepAliveMs, stalledMs, ...ofBodies),
  );
}

interface Defaults extends Pick<Services, "routing" | "streams" | "bodies" | "money"> {
  readonly breaker: BreakerSettings;
}

function withDefaults({ routing, streams, bodies, money }: GatewayOptions): Defaults {
  const { breaker, ...retries } = routing ?? {};
  const leaseMs = money?.leaseMs ?? 60_000;
  return {
    routing: {
      retries: 2,
      backoffMs: 250,
      maxRetryAfterMs: 2_000,
      ...retries,
    },
    breaker: { threshold: 5, cooldownMs: 30_000, ...breaker },
    streams: {
      usageFrame: "always",
      responseStartTimeoutMs: 10_000,
      keepAliveMs: 15_000,
      stalledMs: 60_000,
      maxBufferedBytesPerStream: 262_144,
      maxBufferedBytes: 67_108_864,
      ...streams,
    },
    bodies: { stalledMs: 30_000, slowAfterMs: 60_000, minBytesPerSecond: 65_536, waitMs: 2_000, ...bodies },
    money: {
      interrupted: money?.interrupted ?? "charge",
      minAffordableTokens: money?.minAffordableTokens ?? 256,
      reserveOutputTokens: money?.reserveOutputTokens ?? 4_096,
      hiddenReasoning: money?.hiddenReasoning ?? "drain",
      hiddenTokensPerSecond: money?.hiddenTokensPerSecond ?? 200,
      usageDrainMs: money?.usageDrainMs ?? 60_000,
      leaseMs,
      heartbeatMs: money?.heartbeatMs ?? Math.ceil(leaseMs / 4),
    },
  };
}
