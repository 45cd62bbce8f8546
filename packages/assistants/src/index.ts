export type {
  AssistantDescription,
  DeliveryState,
  DryRun,
  DryRunResult,
  DryRunSession,
  ShownWebhook,
  TargetVerdict,
  TriggerDescription,
  WebhookAttempt,
  WebhookErrorCode,
  WebhookFailure,
  WebhookMethod,
  WebhookRequest,
  WebhookResult,
  WebhookRunner,
} from "@tollgate/core/extension";
export { assistants, type WithAssistants } from "./assistants.ts";
export type { AssistantOptions, TurnOptions } from "./config/assistant-options.ts";
export { defineAssistant, parseAssistant } from "./config/define-assistant.ts";
export type {
  AssistantConfig,
  AssistantSettings,
  TriggerConfig,
  WebhookConfig,
} from "./definition/assistant-config.ts";
