export type {
  AssistantConfig,
  AssistantSettings,
  TriggerConfig,
  WebhookConfig,
} from "./assistants/config/assistant-config.ts";
export type { AssistantOptions, TurnOptions } from "./assistants/config/assistant-options.ts";
export { defineAssistant, parseAssistant } from "./assistants/config/define-assistant.ts";
export type { DryRun, DryRunResult, DryRunSession } from "./assistants/config/dry-run.ts";
export type { ShownWebhook } from "./assistants/webhook/describe-webhook.ts";
export { isReservedHeader } from "./assistants/webhook/template/header-names.ts";
export { createGateway } from "./create-gateway.ts";
export type { CorsOptions } from "./edge/cors.ts";
export { toWebContent } from "./edge/to-response.ts";
export {
  type ErrorCode,
  type ErrorType,
  errorTable,
} from "./errors/error-table.ts";
export {
  GatewayError,
  type GatewayErrorDetails,
} from "./errors/gateway-error.ts";
export {
  ProviderError,
  type ProviderErrorDetails,
  type ProviderFailure,
} from "./errors/provider-error.ts";
export { type FailureContext, sortErrorPayload } from "./failures/failure.ts";
export { readRetryAfter } from "./failures/retry-after.ts";
export type { AssistantGateway, Gateway } from "./gateway.ts";
export type { AssistantGatewayOptions, GatewayOptions } from "./gateway-options/gateway-options.ts";
export { generateKey, type ParsedKey, readKey } from "./keys/key-format.ts";
export type { KeyFormatOptions } from "./keys/key-maker.ts";
export type { BodyOptions } from "./limits/body-options.ts";
export {
  type MemoryBalanceStore,
  type MemoryBalanceStoreOptions,
  memoryBalanceStore,
} from "./memory/memory-balance-store.ts";
export { memoryKeyStore } from "./memory/memory-key-store.ts";
export { memoryLimiter } from "./memory/memory-limiter.ts";
export { memorySessionStore } from "./memory/memory-session-store.ts";
export { memoryTermsStore } from "./memory/memory-terms-store.ts";
export type { MoneyOptions } from "./money/money-options.ts";
export { formatAmount, parseAmount } from "./options/decimal.ts";
export { requireKnown } from "./options/require-known.ts";
export { type Answer, type AnswerStream, isAnswerStream, type UnreadAnswers } from "./ports/answer.ts";
export type {
  Balance,
  BalanceStore,
  EndResult,
  Entry,
  EntryKind,
  EntryPage,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Renewal,
} from "./ports/balance-store.ts";
export type { ByteSink, ByteStream } from "./ports/byte-stream.ts";
export { Cancellation } from "./ports/cancellation.ts";
export type { ClientData, ClientDataChanges } from "./ports/client-data.ts";
export type { BodyReceiver, BodySource, ClientRequest, ClientSignal } from "./ports/client-request.ts";
export type {
  IssuedKey,
  KeyAdmin,
  KeyPage,
  NewKey,
} from "./ports/key-admin.ts";
export type { ApiKey, KeyStore, Limits, WindowLimit } from "./ports/key-store.ts";
export type {
  Limiter,
  LimitState,
  Reservation,
  ReservationResult,
  Window,
} from "./ports/limiter.ts";
export type { AttemptLimits, ModelConfig, Plan, PriceList, Target, UpstreamLimits } from "./ports/model-config.ts";
export type { Endpoint, HostContext, Mountable } from "./ports/mountable.ts";
export type { CallReport, Ending, GatewayEvent, Observer } from "./ports/observer.ts";
export type {
  CompletionBytes,
  ProviderAdapter,
  ProviderAnswer,
  ProviderCall,
  ProviderCapabilities,
  ProviderStream,
} from "./ports/provider-adapter.ts";
export type {
  CreateResult,
  LogPage,
  MergeResult,
  MessagePage,
  NewSession,
  PageSize,
  Session,
  SessionLimits,
  SessionPage,
  SessionPosition,
  SessionRef,
  SessionStore,
  StoredLog,
  StoredMessage,
  TurnRequest,
  TurnStart,
} from "./ports/session-store.ts";
export type {
  TermsAcceptance,
  TermsStore,
  TermsVersion,
} from "./ports/terms-store.ts";
export type {
  CallProgress,
  CallSignal,
  Transport,
  TransportRequest,
  TransportResponse,
} from "./ports/transport.ts";
export type { WebhookErrorCode } from "./ports/webhook-error.ts";
export type { LoggedAttempt, LoggedVariable, VariableSource, WebhookLog } from "./ports/webhook-log.ts";
export type {
  DeliveryState,
  TargetVerdict,
  WebhookAttempt,
  WebhookFailure,
  WebhookMethod,
  WebhookRequest,
  WebhookResult,
  WebhookRunner,
} from "./ports/webhook-runner.ts";
export { collect, collectStart, emptyStream, fromReadableStream } from "./providers/byte-streams.ts";
export { completionOf } from "./providers/completion-body.ts";
export { sortErrorResponse } from "./providers/error-response.ts";
export { withExactSchemas } from "./providers/exact-schemas.ts";
export { fetchTransport } from "./providers/fetch-transport.ts";
export { gatherCompletion } from "./providers/gather-completion.ts";
export { openaiCompatible } from "./providers/openai-compatible.ts";
export type { OpenAICompatibleOptions } from "./providers/openai-endpoint.ts";
export { isEventStream, sendCall, type UpstreamPost } from "./providers/send-call.ts";
export { connectTimeout, sortBodyFailure, sortConnectFailure } from "./providers/transport-failure.ts";
export { upstreamHeaders } from "./providers/upstream-headers.ts";
export type { ModelSettings } from "./providers/upstream-models/offered-models.ts";
export {
  type UpstreamModels,
  type UpstreamModelsOptions,
  upstreamModels,
} from "./providers/upstream-models/upstream-models.ts";
export { hiddenFromClients, upstreamURL } from "./providers/upstream-url.ts";
export type { StreamOptions } from "./request/stream-options.ts";
export type { RoutingOptions } from "./routing/routing-options.ts";
export type { Awaitable } from "./runtime/awaitable.ts";
export { IndexedSet, type Listed } from "./runtime/indexed-set.ts";
export { readEvents, type StreamEvent } from "./streaming/read-events.ts";
export type {
  ChatCompletion,
  CompletionChoice,
  CompletionMessage,
} from "./wire/chat-completion.ts";
export type {
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChunkChoice,
  ToolCallDelta,
} from "./wire/chat-completion-chunk.ts";
export type {
  ChatCompletionRequest,
  ChatMessage,
  Tool,
  ToolCall,
} from "./wire/chat-completion-request.ts";
export { chunksToCompletion } from "./wire/chunks-to-completion.ts";
export { completionToChunks } from "./wire/completion-to-chunks.ts";
export { holdsExactNumber, parseExactJson, writeExactJson } from "./wire/exact-json.ts";
export { ExactNumber, isExactNumber } from "./wire/exact-number.ts";
export type { Feature } from "./wire/feature.ts";
export { isHeaderName } from "./wire/header-name.ts";
export type { Json, JsonMembers, JsonObject } from "./wire/json.ts";
export type { Usage } from "./wire/usage.ts";
