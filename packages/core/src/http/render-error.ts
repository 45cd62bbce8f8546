import { shouldNotRetry } from "../access/limits/limiter-results.ts";
import { errorKind } from "../errors/error-table.ts";
import { errorBody, type GatewayError } from "../errors/gateway-error.ts";
import { type GatewayResponse, jsonResponse } from "../ports/gateway-response.ts";

/** How the clients of one API expect errors. */
export interface ErrorShape {
  /** Returns the HTTP status, given that of OpenAI's API. */
  status(error: GatewayError, status: number): number;
  body(error: GatewayError, requestId: string): unknown;
  /** Returns the headers that these clients read in addition to `headers`, the names of which are lower-case. */
  headers(headers: Readonly<Record<string, string>>, error: GatewayError): Readonly<Record<string, string>>;
}

/** Errors as OpenAI's clients read them. */
export const openaiErrors: ErrorShape = {
  status: (_error, status) => status,
  body: (error) => error.details.body ?? { error: errorBody(error) },
  headers: () => ({}),
};

/** Converts an error to its response. All error responses are made here. */
export function renderError(
  error: GatewayError,
  headers: Readonly<Record<string, string>>,
  shape: ErrorShape = openaiErrors,
): GatewayResponse {
  const { retryAfterSeconds } = error.details;
  const { status, retry, closes } = errorKind(error.code);
  const isFinal = retry === false || shouldNotRetry(retryAfterSeconds ?? 0);
  const known = { ...headers, ...error.details.headers };
  return jsonResponse(
    shape.status(error, status),
    {
      ...headers,
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...error.details.headers,
      ...shape.headers(known, error),
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      ...(isFinal ? { "x-should-retry": "false" } : {}),
      ...(closes === true ? { connection: "close" } : {}),
    },
    shape.body(error, headers["x-request-id"] ?? ""),
  );
}
