const brand = Symbol.for("tollgate.provider-error");

/**
 * How a call of a provider can fail.
 *
 * | kind | when |
 * |---|---|
 * | rejected | the upstream refused a parameter of the request: 400, 422 |
 * | context_length | the prompt is longer than the upstream's context window |
 * | too_large | 413 |
 * | credentials | the host's own key or account was refused: 401, 402, 403, 404 |
 * | failed | 408, 409, 425, any other 5xx |
 * | overloaded | 429, 503, 529 |
 * | unreachable | DNS, refused, reset before the head, TLS |
 * | timeout | one of the time limits passed |
 * | invalid_response | an answer that is not of the promised shape |
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

/** What a ProviderError carries beside its kind. */
export interface ProviderErrorDetails {
  /** The upstream's HTTP status. */
  readonly status?: number;
  /** The upstream's words, fit for the client: without host, ids and keys. Only `rejected` and `context_length` are shown. */
  readonly clientMessage?: string;
  /** The request field that the upstream named. */
  readonly param?: string;
  /** Whole seconds that the upstream asked to wait. */
  readonly retryAfterSeconds?: number;
  /**
   * True for refused credentials that only this request is refused for, such as a 402 about a cap on the output that the
   * account cannot afford: other targets are tried, and no breaker opens.
   */
  readonly requestOnly?: boolean;
  readonly cause?: unknown;
}

/** A failure of a provider, sorted. The message is for the host, never for the client. */
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

  /** True for a ProviderError of any copy of this package. */
  static is(value: unknown): value is ProviderError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
