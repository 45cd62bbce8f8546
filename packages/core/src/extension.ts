// What authors of extensions use, such as `@tollgate/assistants`.

export { origin } from "./http/cors.ts";
export { mountOptions } from "./http/serve-document.ts";
export {
  amount,
  arrayOf,
  filledText,
  listOrFunction,
  oneOf,
  port,
  wanted,
  wholeNumber,
} from "./options/leaves.ts";
export { optionMembers, unknownMember } from "./options/members.ts";
export { readOptions, uniqueIds } from "./options/problems.ts";
export type { TokenGrant, TokenParents, TokenReader } from "./ports/access-token.ts";
export type { AdmittedRequest, BodyLimit, CompletionForm, LargerContent } from "./ports/admitted-request.ts";
export type {
  AssistantAdmin,
  AssistantDescription,
  DryRun,
  DryRunResult,
  DryRunSession,
  ShownWebhook,
  TriggerDescription,
} from "./ports/assistant-admin.ts";
export { callStoreWithTimeout } from "./ports/call-store-with-timeout.ts";
export { clientDataProblem } from "./ports/client-data.ts";
export type { ClientRequest } from "./ports/client-request.ts";
export type { ExtensionEndpoint, ExtensionHost, ExtensionMount, GatewayExtension } from "./ports/extension.ts";
export type { GatewayResponse } from "./ports/gateway-response.ts";
export type { ContextWindow, ModelAnswer, ModelCalls, ModelRequest, OwnAnswer } from "./ports/model-calls.ts";
export type { WebhookError, WebhookErrorCode } from "./ports/webhook-log.ts";
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
export { snapshot } from "./routing/model-catalogue.ts";
export { removeExpired, sweepIntervalMs } from "./runtime/background.ts";
export { every } from "./runtime/timers.ts";
export { parseJsonLossless } from "./steps/parse-request.ts";
export { byteLength, decodeUtf8, encodeUtf8 } from "./wire/bytes.ts";
export { isHeaderName, reservedHeader } from "./wire/header-name.ts";
export { hmac } from "./wire/hmac.ts";
export { hasHugeExponent, isJsonList, isJsonMembers, isJsonObject, tryParseJson } from "./wire/json.ts";
export { exceedsJsonLimits } from "./wire/json-members.ts";
