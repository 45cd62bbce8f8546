export type { WebhookErrorCode } from "../ports/webhook-error.ts";
export type {
  DeliveryState,
  TargetVerdict,
  WebhookAttempt,
  WebhookFailure,
  WebhookMethod,
  WebhookRequest,
  WebhookResult,
  WebhookRunner,
} from "../ports/webhook-runner.ts";
export { assistants, type WithAssistants } from "./assistants.ts";
export type { AssistantOptions, TurnOptions } from "./config/assistant-options.ts";
export { defineAssistant, parseAssistant } from "./config/define-assistant.ts";
export type { DryRun, DryRunResult, DryRunSession } from "./config/dry-run.ts";
export type {
  AssistantConfig,
  AssistantSettings,
  TriggerConfig,
  WebhookConfig,
} from "./definition/assistant-config.ts";
export type { AssistantDescription, TriggerDescription } from "./definition/assistant-description.ts";
export type { ShownWebhook } from "./webhook/describe-webhook.ts";
