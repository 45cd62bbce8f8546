import { errorKind } from "../../../errors/error-table.ts";
import type { GatewayError } from "../../../errors/gateway-error.ts";
import type { ErrorShape } from "../../../http/render-error.ts";
import { anthropicHeaders } from "./response-headers.ts";

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
