export { fileContentStore } from "./file-content-store.ts";
export { type Edge, type EdgeOptions, type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./node-handler.ts";
export { type PooledTransport, type PooledTransportOptions, pooledTransport } from "./pooled-transport.ts";
export type { WebhookLookup } from "./webhook/resolve-target.ts";
export { type WebhookRunnerOptions, webhookRunner } from "./webhook/webhook-runner.ts";
