import { errorKind } from "./error-table.ts";
import { GatewayError } from "./gateway-error.ts";

/** The `error` member of a body or of an error frame. */
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

/** Any thrown value as the error that the client may see. */
export function asGatewayError(thrown: unknown): GatewayError {
  if (GatewayError.is(thrown)) return thrown;
  return new GatewayError(
    "internal_error",
    "The gateway failed unexpectedly. Try again. If it happens again, send the x-request-id of this response to the operator of this service.",
    { cause: thrown },
  );
}
