/** The HTTP method of a webhook. */
export type WebhookMethod = "GET" | "POST" | "PUT" | "DELETE";

/** A rendered webhook to send. It contains secrets. */
export interface WebhookRequest {
  /** The UUID of this call. It is sent as `Idempotency-Key` with every method except GET, and does not change in retries. */
  readonly id: string;
  readonly method: WebhookMethod;
  readonly url: string;
  /** Names and values in order, without control characters. Values are sent as UTF-8. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON; undefined: the request has no body. */
  readonly body: string | undefined;
  /** The time limit for the whole call, including retries, in milliseconds. */
  readonly timeoutMs: number;
  /** Signs the exact bytes of the body by the Standard Webhooks scheme (https://www.standardwebhooks.com): `whsec_` and base64. Undefined: not signed. */
  readonly signingSecret: string | undefined;
  /** Aborts the call at any point. The result is `cancelled`. */
  readonly signal: AbortSignal;
}

/**
 * Why a webhook has no response. `connect_error`: the connection failed before the head of the response.
 * `invalid_response`: the body was incomplete or could not be decompressed; the status is reported. `blocked_target`: the
 * target is not allowed, and nothing was sent.
 */
export type WebhookFailure =
  | "blocked_target"
  | "dns_error"
  | "connect_error"
  | "tls_error"
  | "timeout"
  | "response_too_large"
  | "invalid_response"
  | "cancelled";

/**
 * Whether the action was performed. `not_sent`: it was not. `failed`: the target reported an error. `unknown`: it may have
 * been. A GET that was sent is `failed`, since it changes nothing.
 */
export type DeliveryState = "not_sent" | "failed" | "unknown";

/** One attempt of a call. */
export interface WebhookAttempt {
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure?: WebhookFailure;
}

/** The result of a call. A response may have any status, including 3xx, since redirects are not followed. */
export type WebhookResult =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The header, unchanged. */
      readonly contentType: string | undefined;
      /** Decompressed. */
      readonly body: Uint8Array;
      readonly attempts: readonly WebhookAttempt[];
    }
  | {
      readonly kind: "failed";
      readonly failure: WebhookFailure;
      readonly certainty: DeliveryState;
      /** For the log only: the address, rule or fault. Never sent to the model. */
      readonly detail: string;
      readonly status: number | null;
      readonly attempts: readonly WebhookAttempt[];
    };

/** Whether a runner would allow a target. `reason` is for the developer who configures it. */
export type TargetVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Port: sends webhooks. All webhooks go through it, so it decides which targets are allowed. */
export interface WebhookRunner {
  /**
   * Sends a webhook. Never rejects, and resolves at the latest after `timeoutMs`. Follows no redirect. Stops reading a
   * response that exceeds its limit (`response_too_large`). Sends a method other than GET at most once, unless nothing of an
   * attempt was sent.
   */
  run(request: WebhookRequest): Promise<WebhookResult>;
  /** Checks whether a target would be allowed. It may resolve the host name, and sends nothing. */
  checkTarget(url: string): Promise<TargetVerdict>;
}
