import type { GatewayEvent } from "@tollgate/core";
import { dialectEndpoints } from "@tollgate/core/internal";
import { value } from "./conventions.ts";

/** The end of a request. */
export type EndEvent = Extract<GatewayEvent, { readonly type: "request.completed" | "request.refused" }>;

/** A model call of a turn. */
export type ModelCallEvent = Extract<GatewayEvent, { readonly type: "model.called" }>;

/** A completion, or a model call of a turn. */
export type CallEvent = EndEvent | ModelCallEvent;

/** A webhook of an assistant. */
export type WebhookEvent = Extract<GatewayEvent, { readonly type: "webhook.called" }>;

/** A failed attempt at a target. */
export type FailedAttemptEvent = Extract<GatewayEvent, { readonly type: "attempt.failed" }>;

/** Returns the operation of a model call, by the endpoint of its request. */
export const operationOf = (event: CallEvent): string =>
  "endpoint" in event && event.endpoint === dialectEndpoints.embeddings.name ? value.embeddings : value.chat;

/** Returns the error that ended a request or a call; undefined without one, also when the client left. */
export function errorOf(event: CallEvent): string | undefined {
  if (event.type === "request.refused") return event.code;
  return event.ending === "complete" || event.ending === "client_gone" ? undefined : event.ending;
}

/** Returns the error of a webhook; undefined without one. */
export const webhookErrorOf = ({ outcome, error }: WebhookEvent): string | undefined =>
  outcome === "succeeded" ? undefined : (error ?? outcome);
