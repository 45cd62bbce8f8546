/** A method that a webhook may have. */
export type WebhookMethod = "GET" | "POST" | "PUT" | "DELETE";

/** A webhook as it is to be sent: rendered and checked, with its secrets in it. */
export interface WebhookRequest {
  /** A UUID of this call; sent as `Idempotency-Key` with every method but GET, the same over retries. */
  readonly id: string;
  readonly method: WebhookMethod;
  readonly url: string;
  /** Names and values in order, without control characters; the values are to travel as UTF-8. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON; undefined: none is sent. */
  readonly body: string | undefined;
  /** The longest time for everything together, retries included, in milliseconds. */
  readonly timeoutMs: number;
  /** Signs the exact bytes of the body by the Standard Webhooks scheme (https://www.standardwebhooks.com) when given: `whsec_` and base64. */
  readonly signingSecret: string | undefined;
  /** Ends the call, whatever it is doing: `cancelled`. */
  readonly signal: AbortSignal;
}

/**
 * Why a webhook brought no answer. Up to the head of the answer a connection that cannot be made or breaks is a
 * `connect_error`; after it an answer that is cut short, for whatever reason, or cannot be decompressed is an
 * `invalid_response`, and its status is told. What must not be sent at all is a `blocked_target`.
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
 * Whether what was asked for has happened: certainly not, not as far as the target said, or nobody knows. A GET that
 * was sent has `failed`, since it changes nothing.
 */
export type DeliveryState = "not_sent" | "failed" | "unknown";

/** One try of a call. */
export interface WebhookAttempt {
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure?: WebhookFailure;
}

/** What became of a call. An answer is one of any status, also 3xx: redirects are not followed. */
export type WebhookResult =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The header as it came. */
      readonly contentType: string | undefined;
      /** Decompressed. */
      readonly body: Uint8Array;
      readonly attempts: readonly WebhookAttempt[];
    }
  | {
      readonly kind: "failed";
      readonly failure: WebhookFailure;
      readonly certainty: DeliveryState;
      /** For the log alone: which address, rule or fault. Never shown to the model. */
      readonly detail: string;
      readonly status: number | null;
      readonly attempts: readonly WebhookAttempt[];
    };

/** What a runner would decide about a target, without contacting it; `reason` is for whoever configures it. */
export type TargetVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/**
 * Port: sends webhooks. It is the one way out for them, so it decides where they may go.
 *
 * `run` never rejects and ends at the latest at `timeoutMs`; it reads no more of an answer than it has room for
 * (`response_too_large`), follows no redirect, and sends a method that changes something at most once unless nothing
 * had been sent. `checkTarget` says whether the target would be allowed; it may resolve its name, and sends nothing.
 */
export interface WebhookRunner {
  run(request: WebhookRequest): Promise<WebhookResult>;
  checkTarget(url: string): Promise<TargetVerdict>;
}
