import type { ErrorCode } from "./error-table.ts";

const brand = Symbol.for("tollgate.gateway-error");

/** What an error carries beside its code and message. */
export interface GatewayErrorDetails {
  /** Dot path of the request field at fault: `messages.0.role`. */
  readonly param?: string;
  /** Typed extras, shown to the client under `error.metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Whole seconds after which a retry can succeed; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Further headers of the answer, with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members at the top level of the body, for the one error whose body is not of the usual shape. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** For the observer alone; never shown to a client. */
  readonly cause?: unknown;
}

/**
 * A refusal or failure that the client is to see: the code decides the status, the message says what to do next.
 * Everything else that is thrown is masked as `internal_error`.
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

  /** True for a GatewayError of any copy of this package. */
  static is(value: unknown): value is GatewayError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
