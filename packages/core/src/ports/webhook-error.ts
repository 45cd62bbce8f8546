import type { DeliveryState, WebhookFailure } from "./webhook-runner.ts";

/** The error code of a failed trigger call, as the model sees it. */
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

/** The error of a failed trigger call. */
export interface WebhookError {
  readonly code: WebhookErrorCode;
  /** For the model, without URL, header or value. */
  readonly message: string;
  readonly certainty: DeliveryState;
  /** For the log. */
  readonly detail: string;
}
