export { accountAdminContract } from "./account-admin.ts";
export { auditLogContract } from "./audit-log.ts";
export { balanceStoreContract } from "./balance-store.ts";
export { contentStoreContract } from "./content-store.ts";
export { entryFeedContract, type FedBalances } from "./entry-feed.ts";
export { keyStoreContract } from "./key-store.ts";
export { limiterContract } from "./limiter.ts";
export { noticeOutboxContract } from "./notice-outbox.ts";
export {
  type Notification,
  type OpenedPaymentProvider,
  type PaymentProviderSuiteOptions,
  paymentProviderContract,
  type Signing,
} from "./payment-provider.ts";
export { type PaymentStores, paymentStoreContract } from "./payment-store.ts";
export type { OpenedProvider } from "./provider/context.ts";
export { openaiCodec } from "./provider/openai-codec.ts";
export type { ScriptedUpstream } from "./provider/scripted-upstream.ts";
export type { UpstreamCodec, UpstreamRequest } from "./provider/upstream-codec.ts";
export type { ScriptedAnswer, ScriptedFailure, ScriptedToolCall, UpstreamScript } from "./provider/upstream-script.ts";
export { type ProviderSuiteOptions, providerContract } from "./provider.ts";
export { responseStoreContract } from "./response-store.ts";
export { sessionAdminContract } from "./session-admin.ts";
export { sessionStoreContract } from "./session-store.ts";
export { type SharedStores, sharedStoresContract } from "./shared-stores.ts";
export type { Opened, SuiteOptions, TestRunner } from "./suite.ts";
export { termsAdminContract } from "./terms-admin.ts";
export { termsStoreContract } from "./terms-store.ts";
export { usageStoreContract } from "./usage-store.ts";
export type { OpenedRunner, WebhookTarget } from "./webhook-runner/context.ts";
export { type WebhookRunnerSuiteOptions, webhookRunnerContract } from "./webhook-runner.ts";
