export { generateKey, type ParsedKey, readKey } from "./access/key-format.ts";
export type { KeyFormatOptions } from "./access/key-maker.ts";
export type { BodyOptions } from "./access/limits/body-budget.ts";
export type {
  ChargeHandle,
  Charges,
  HoldExtension,
  HostCharge,
  HostHold,
  MadeCharge,
} from "./charges/host-charge.ts";
export { createGateway } from "./create-gateway.ts";
export type { ResponseOptions } from "./dialects/responses/response-options.ts";
export { type ErrorCode, type ErrorType, errorTable } from "./errors/error-table.ts";
export { GatewayError, type GatewayErrorDetails } from "./errors/gateway-error.ts";
export type { AttemptFailure } from "./errors/provider-error.ts";
export { consoleObserver } from "./events/console-observer.ts";
export type { ContentOptions } from "./events/content-log.ts";
export type { NoticeEndpoint, NoticeOptions } from "./events/notice-delivery.ts";
export { traceObserver } from "./events/trace-observer.ts";
export type { UsageOptions } from "./events/usage-recorder.ts";
export type { Gateway } from "./gateway.ts";
export type { GatewayOptions, MessagesOptions } from "./gateway-options.ts";
export type { ClientFetch } from "./http/client-fetch.ts";
export type { CorsOptions } from "./http/cors.ts";
export { type HealthOptions, healthEndpoints, type ReadinessCheck } from "./http/health-endpoints.ts";
export { type MemoryAuditLogOptions, memoryAuditLog } from "./memory/memory-audit-log.ts";
export {
  type MemoryBalanceStore,
  type MemoryBalanceStoreOptions,
  memoryBalanceStore,
} from "./memory/memory-balance-store.ts";
export { memoryContentStore } from "./memory/memory-content-store.ts";
export { memoryKeyStore } from "./memory/memory-key-store.ts";
export { memoryLimiter } from "./memory/memory-limiter.ts";
export { memoryResponseStore } from "./memory/memory-response-store.ts";
export { memorySessionStore } from "./memory/memory-session-store.ts";
export { memoryTermsStore } from "./memory/memory-terms-store.ts";
export { type MemoryUsageStoreOptions, memoryUsageStore } from "./memory/memory-usage-store.ts";
export type { MoneyOptions } from "./money/money-options.ts";
export type { SpendCapOptions } from "./money/spend-cap.ts";
export { formatAmount, parseAmount } from "./options/decimal.ts";
export type { AddedBy, GatewayExtension } from "./ports/extension.ts";
export type {
  BreakerState,
  CurrentPrices,
  GatewayState,
  ListedPrices,
  ModelState,
  SpendCapState,
  TargetState,
  TierPrices,
} from "./ports/gateway-state.ts";
export type {
  AttemptLimits,
  ChatModelConfig,
  EmbeddingModelConfig,
  ModelConfig,
  Plan,
  PlanLimits,
  PlanSpend,
  PriceList,
  Prices,
  PriceTier,
  Target,
  UpstreamLimits,
} from "./ports/model-config.ts";
export type { Endpoint, HostContext, Mountable } from "./ports/mountable.ts";
export type { CallReport, Ending, GatewayEvent, Observer, ProblemObserver } from "./ports/observer.ts";
export type { Transport } from "./ports/transport.ts";
export { fetchTransport } from "./providers/fetch-transport.ts";
export { openaiCompatible } from "./providers/openai-compatible.ts";
export type { OpenAICompatibleOptions } from "./providers/openai-endpoint.ts";
export type { ModelSettings } from "./providers/upstream-models/offered-models.ts";
export {
  type UpstreamModels,
  type UpstreamModelsOptions,
  upstreamModels,
} from "./providers/upstream-models/upstream-models.ts";
export type { UpstreamName, UpstreamProfile } from "./providers/upstream-profiles.ts";
export type { StreamOptions } from "./request/services.ts";
export type { BreakerOptions, RoutingOptions } from "./routing/routing-options.ts";
