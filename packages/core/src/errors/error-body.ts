import { errorKind } from "./error-table.ts";
import { GatewayError } from "./gateway-error.ts";

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
