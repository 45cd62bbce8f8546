import { shouldNotRetry } from "../limits/rate-limit-headers.ts";
import { type Answer, jsonAnswer } from "../ports/answer.ts";
import { errorKind } from "./error-table.ts";
import { GatewayError } from "./gateway-error.ts";

/** The one place where an error becomes an answer: what is not a GatewayError is masked. */
export function renderError(error: GatewayError, headers: Readonly<Record<string, string>>): Answer {
  const { retryAfterSeconds, body } = error.details;
  const { status, retry, closes } = errorKind(error.code);
  const hopeless = retry === false || shouldNotRetry(retryAfterSeconds ?? 0);
  return jsonAnswer(
    status,
    {
      ...headers,
      ...error.details.headers,
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      ...(hopeless ? { "x-should-retry": "false" } : {}),
      ...(closes === true ? { connection: "close" } : {}),
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    },
    body ?? { error: errorBody(error) },
  );
}

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
