import { errorBody } from "../errors/error-body.ts";
import { errorKind } from "../errors/error-table.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import { shouldNotRetry } from "../limits/limiter-results.ts";
import { type GatewayResponse, jsonResponse } from "../ports/gateway-response.ts";

/** Converts an error to its response. All error responses are made here. */
export function renderError(error: GatewayError, headers: Readonly<Record<string, string>>): GatewayResponse {
  const { retryAfterSeconds, body } = error.details;
  const { status, retry, closes } = errorKind(error.code);
  const isFinal = retry === false || shouldNotRetry(retryAfterSeconds ?? 0);
  return jsonResponse(
    status,
    {
      ...headers,
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...error.details.headers,
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      ...(isFinal ? { "x-should-retry": "false" } : {}),
      ...(closes === true ? { connection: "close" } : {}),
    },
    body ?? { error: errorBody(error) },
  );
}
