export { balanceStoreContract } from "./balance-store.ts";
export { keyStoreContract } from "./key-store.ts";
export { limiterContract } from "./limiter.ts";
export { sessionStoreContract } from "./session-store.ts";
export { type SharedStores, sharedStoresContract } from "./shared-stores.ts";
export type { Opened, SuiteOptions, TestRunner } from "./suite.ts";
export { termsStoreContract } from "./terms-store.ts";
export type { OpenedRunner, WebhookTarget } from "./webhook-runner/context.ts";
export { type WebhookRunnerSuiteOptions, webhookRunnerContract } from "./webhook-runner.ts";
