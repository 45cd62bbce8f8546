import type { Json } from "../wire/json.ts";
import type { DeliveryState, WebhookFailure, WebhookMethod } from "./webhook-runner.ts";

/** The source of a variable's value, in order of precedence. */
export type VariableSource = "system" | "secret" | "argument" | "client_data";

/** A variable that a call used. A secret has no value in logs. */
export interface LoggedVariable {
  readonly name: string;
  readonly source: VariableSource;
  readonly value?: Json;
}

/** One attempt of a call. */
export interface LoggedAttempt {
  readonly duration_ms: number;
  readonly status: number | null;
  /** Null when there was a response. */
  readonly failure: WebhookFailure | null;
}

/** The redacted log of one webhook call, as in GET /session/{id}/logs. Times are in milliseconds. */
export interface WebhookLog {
  /** The UUID of the call. */
  readonly id: string;
  readonly session_id: string;
  readonly trigger: string;
  readonly tool_call_id: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly attempts: readonly LoggedAttempt[];
  /** Null when the webhook was not rendered. */
  readonly request: {
    readonly method: WebhookMethod;
    readonly url: string;
    readonly header_names: readonly string[];
    readonly body: string | null;
  } | null;
  /** Null when there was no response. */
  readonly response: {
    readonly status: number;
    readonly content_type: string | null;
    readonly bytes: number;
    /** Up to 64 KiB. */
    readonly body: string;
    readonly truncated: boolean;
  } | null;
  readonly variables: readonly LoggedVariable[];
  readonly outcome: "succeeded" | DeliveryState;
  readonly error: { readonly code: WebhookErrorCode; readonly detail: string } | null;
  readonly merged_keys: readonly string[];
  readonly warnings: readonly string[];
}

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
