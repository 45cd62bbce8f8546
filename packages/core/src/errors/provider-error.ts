const brand = Symbol.for("tollgate.provider-error");

/**
 * The kinds of failure of a provider call.
 *
 * | kind | when |
 * |---|---|
 * | rejected | the upstream rejected a parameter of the request: 400, 422 |
 * | context_length | the prompt is longer than the upstream's context window |
 * | too_large | 413 |
 * | credentials | the upstream rejected the host's key or account: 401, 402, 403, 404 |
 * | failed | 408, 409, 425, any other 5xx |
 * | overloaded | 429, 503, 529 |
 * | unreachable | DNS or TLS error, connection refused, or reset before the response head |
 * | timeout | the call exceeded a time limit |
 * | invalid_response | the answer is not a valid completion or stream |
 */
export type ProviderFailure =
  | "rejected"
  | "context_length"
  | "too_large"
  | "credentials"
  | "failed"
  | "overloaded"
  | "unreachable"
  | "timeout"
  | "invalid_response";

/** The optional members of a ProviderError. */
export interface ProviderErrorDetails {
  /** The upstream's HTTP status. */
  readonly status?: number;
  /** The upstream's message without hosts, ids and keys. The client sees it for `rejected` and `context_length` only. */
  readonly clientMessage?: string;
  /** The upstream's message of any failure, without hosts, ids and keys, for the host. The client never sees it. */
  readonly upstreamMessage?: string;
  /** The request field that the upstream named. */
  readonly param?: string;
  /** The upstream's `Retry-After` in whole seconds. */
  readonly retryAfterSeconds?: number;
  /**
   * True for `credentials` that concern this request only, such as a 402 because the account cannot afford its output
   * cap. Other targets are tried, and no breaker opens.
   */
  readonly requestOnly?: boolean;
  readonly cause?: unknown;
}

/** A classified failure of a provider. Its message is for the host and is never sent to the client. */
export class ProviderError extends Error {
  readonly [brand] = true;
  override readonly name = "ProviderError";
  readonly failure: ProviderFailure;
  readonly details: ProviderErrorDetails;

  constructor(failure: ProviderFailure, message: string, details: ProviderErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.failure = failure;
    this.details = details;
  }

  /** Returns true for a ProviderError of any copy of this package. */
  static is(value: unknown): value is ProviderError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** How an attempt at a target failed. */
export interface AttemptFailure {
  /** A `ProviderFailure`; or "ended" if the request ended first, because its client left or the gateway is draining. */
  readonly failure: string;
  /** The HTTP status of the upstream. Absent: it did not answer, or with an answer that is not valid. */
  readonly upstreamStatus?: number;
  /** The message of the upstream's error, without hosts, ids and keys; at most 500 characters. */
  readonly upstreamMessage?: string;
}

/** Describes why an attempt at a target failed, with what its upstream said. */
export function attemptFailure(cause: unknown): AttemptFailure {
  if (!ProviderError.is(cause)) return { failure: "ended" };
  const { status, upstreamMessage } = cause.details;
  return {
    failure: cause.failure,
    ...(status === undefined ? {} : { upstreamStatus: status }),
    ...(upstreamMessage === undefined ? {} : { upstreamMessage }),
  };
}

/** Makes the error of an answer that its upstream gave up, such as for lack of resources. */
export const interrupted = (): ProviderError =>
  new ProviderError("failed", "The upstream gave its answer up before the end. Try again, or use another target.");
