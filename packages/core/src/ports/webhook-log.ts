import type { Json } from "../wire/json.ts";
import type { WebhookErrorCode } from "./webhook-error.ts";
import type { DeliveryState, WebhookFailure, WebhookMethod } from "./webhook-runner.ts";

/** Where a variable's value comes from, highest first: a name that several have is that of the first. */
export type VariableSource = "system" | "secret" | "argument" | "client_data";

/** A variable as a call used it; a secret has no value here. */
export interface LoggedVariable {
  readonly name: string;
  readonly source: VariableSource;
  readonly value?: Json;
}

/** One try of a call. */
export interface LoggedAttempt {
  readonly duration_ms: number;
  readonly status: number | null;
  /** Null when an answer came. */
  readonly failure: WebhookFailure | null;
}

/** Everything there is to know of one webhook call, as GET /session/{id}/logs shows it, redacted. Times in milliseconds. */
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
  /** Null when nothing could be rendered. */
  readonly request: {
    readonly method: WebhookMethod;
    readonly url: string;
    readonly header_names: readonly string[];
    readonly body: string | null;
  } | null;
  /** Null when no answer came. */
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
