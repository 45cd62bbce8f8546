import { errorKind } from "../../../errors/error-table.ts";
import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ErrorShape } from "../../../http/render-error.ts";

/** The types of errors by HTTP status. */
const types: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [503, "api_error"],
  [529, "overloaded_error"],
]);

/** The body of an error. Those of the terms keep the members that their clients read at the top level. */
export function messagesErrorBody(error: GatewayError, requestId: string) {
  const { body = {} } = error.details;
  const status = messagesStatus(error, errorKind(error.code).status);
  const type = types.get(status) ?? (status < 500 ? "invalid_request_error" : "api_error");
  const shown = { type, message: error.message, ...(error.details.param === "thread" ? noThreads : {}) };
  return { ...body, type: "error", error: shown, request_id: requestId } as const;
}

/** By these members Anthropic's clients know that they must send the whole conversation instead. */
const noThreads = { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } } as const;

/** An overloaded upstream has a status of its own. */
const messagesStatus = (error: GatewayError, status: number): number =>
  error.code === "upstream_overloaded" ? 529 : status;

/**
 * Errors as Anthropic's clients read them.
 * Follows https://platform.claude.com/docs/en/api/errors
 */
export const messagesErrors: ErrorShape = {
  status: messagesStatus,
  body: messagesErrorBody,
  headers: (headers, { details }) => anthropicHeaders(headers, details.metadata?.["limit"]),
};

/**
 * Returns the headers that Anthropic's clients read, made from those of the gateway: the request id, and the state of a
 * limit. `limit` is what a refused request exceeded.
 * Follows https://platform.claude.com/docs/en/api/rate-limits#response-headers
 */
export function anthropicHeaders(
  headers: Readonly<Record<string, string>>,
  limit: unknown = "requests",
): Record<string, string> {
  const { "x-request-id": id, "x-ratelimit-limit": most, "x-ratelimit-remaining": left } = headers;
  const reset = Number(headers["x-ratelimit-reset"]);
  const added: Record<string, string> = id === undefined ? {} : { "request-id": id };
  const hasLimit = most !== undefined && left !== undefined && Number.isFinite(reset);
  if (!hasLimit || (limit !== "requests" && limit !== "tokens")) return added;
  added[`anthropic-ratelimit-${limit}-limit`] = most;
  added[`anthropic-ratelimit-${limit}-remaining`] = left;
  added[`anthropic-ratelimit-${limit}-reset`] = new Date(reset * 1000).toISOString().replace(".000Z", "Z");
  return added;
}
