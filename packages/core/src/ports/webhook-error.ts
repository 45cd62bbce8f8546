import type { DeliveryState, WebhookFailure } from "./webhook-runner.ts";

/** Why a call of a trigger did not succeed, as the model is told. */
export type WebhookErrorCode =
  | WebhookFailure
  | "invalid_arguments"
  | "unresolved_variable"
  | "unsafe_path_value"
  | "invalid_header_value"
  | "invalid_body"
  | "redirect_blocked"
  | "http_error"
  | "limit_reached";

/** A call that did not succeed. */
export interface WebhookError {
  readonly code: WebhookErrorCode;
  /** For the model: a sentence without URL, header or value. */
  readonly message: string;
  readonly certainty: DeliveryState;
  /** For the log. */
  readonly detail: string;
}
