import type { Attributes } from "@opentelemetry/api";
import { attribute, value } from "./conventions.ts";
import { type EndEvent, errorOf, type FailedAttemptEvent, type WebhookEvent, webhookErrorOf } from "./events.ts";
import type { ProviderName } from "./provider-name.ts";
import { outcomeAttributes } from "./target-series.ts";

/** Returns the operation and the outcome of a turn. */
export const turnDimensions = (event: EndEvent): Attributes => ({
  [attribute.operation]: value.turn,
  ...outcomeAttributes(event.status, errorOf(event)),
});

/** Returns the assistant, the trigger and the outcome of a webhook. */
export const webhookDimensions = (event: WebhookEvent): Attributes => ({
  [attribute.operation]: value.webhook,
  [attribute.tool]: event.trigger,
  [attribute.toolType]: value.extension,
  [attribute.agent]: event.assistant,
  ...outcomeAttributes(undefined, webhookErrorOf(event)),
});

/** Returns the target of an attempt, and its failure if it failed. */
export const attemptDimensions = (
  { provider, upstreamModel }: Pick<FailedAttemptEvent, "provider" | "upstreamModel">,
  failure: string | undefined,
  providerName: ProviderName,
): Attributes => ({
  [attribute.provider]: providerName(provider),
  [attribute.responseModel]: upstreamModel,
  ...(failure === undefined ? {} : { [attribute.error]: failure }),
});
