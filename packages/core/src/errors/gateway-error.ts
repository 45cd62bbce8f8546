import { type ErrorCode, errorKind } from "./error-table.ts";

const brand = Symbol.for("tollgate.gateway-error");

/** The optional members of a GatewayError. */
export interface GatewayErrorDetails {
  /** Dot path of the invalid request field, such as `messages.0.role`. */
  readonly param?: string;
  /** Sent to the client as `error.metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Whole seconds after which a retry can succeed; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Further headers of the answer, with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members to add at the top level of the error body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** For the observer only; never sent to a client. */
  readonly cause?: unknown;
}

/**
 * An error that the client may see. The code determines the status, and the message says what to do next. Any other
 * thrown value is masked as `internal_error`.
 */
export class GatewayError extends Error {
  readonly [brand] = true;
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly details: GatewayErrorDetails;

  constructor(code: ErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** Returns true for a GatewayError of any copy of this package. */
  static is(value: unknown): value is GatewayError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Returns the `error` member of an error body or error frame. */
export function errorBody(error: GatewayError): Record<string, unknown> {
  const { param, metadata } = error.details;
  return {
    message: error.message,
    type: errorKind(error.code).type,
    code: error.code,
    ...(param === undefined ? {} : { param }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Returns a GatewayError as it is, and masks any other thrown value as `internal_error`. */
export function asGatewayError(thrown: unknown): GatewayError {
  if (GatewayError.is(thrown)) return thrown;
  return new GatewayError(
    "internal_error",
    "The gateway failed unexpectedly. Try again. If it happens again, send the x-request-id of this response to the operator of this service.",
    { cause: thrown },
  );
}
