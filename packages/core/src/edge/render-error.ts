import { errorBody } from "../errors/error-body.ts";
import { errorKind } from "../errors/error-table.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import { shouldNotRetry } from "../limits/rate-limit-headers.ts";
import { type GatewayResponse, jsonResponse } from "../ports/gateway-response.ts";

/** The one place where an error becomes an answer: what is not a GatewayError is masked. */
export function renderError(error: GatewayError, headers: Readonly<Record<string, string>>): GatewayResponse {
  const { retryAfterSeconds, body } = error.details;
  const { status, retry, closes } = errorKind(error.code);
  const hopeless = retry === false || shouldNotRetry(retryAfterSeconds ?? 0);
  return jsonResponse(
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
