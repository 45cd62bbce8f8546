/** The `type` member of an error body, as OpenAI's clients read it. */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "insufficient_balance"
  | "spend_limit_reached"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "rate_limit_error"
  | "api_error"
  | "upstream_error"
  | "service_unavailable"
  | "terms_acceptance_required";

interface ErrorKind {
  readonly status: number;
  readonly type: ErrorType;
  /** The value of `x-should-retry`. Absent: the header is not sent, and the client decides by the status. */
  readonly retry?: false;
  /** True: the connection is closed after the answer. */
  readonly closes?: true;
}

/** Every error that the gateway can answer with: its status, its type, and whether a client should retry. */
export const errorTable = {
  invalid_json: { status: 400, type: "invalid_request_error" },
  invalid_request: { status: 400, type: "invalid_request_error" },
  unsupported_value: { status: 400, type: "invalid_request_error" },
  unsupported_parameter: { status: 400, type: "invalid_request_error" },
  context_length_exceeded: { status: 400, type: "invalid_request_error" },
  notification_refused: { status: 400, type: "invalid_request_error" },
  missing_api_key: { status: 401, type: "authentication_error" },
  invalid_api_key: { status: 401, type: "authentication_error" },
  expired_api_key: { status: 401, type: "authentication_error" },
  revoked_api_key: { status: 401, type: "authentication_error" },
  authorization_required: { status: 401, type: "authentication_error" },
  insufficient_balance: {
    status: 402,
    type: "insufficient_balance",
    retry: false,
  },
  spend_limit_reached: {
    status: 402,
    type: "spend_limit_reached",
    retry: false,
  },
  feature_not_available: {
    status: 403,
    type: "permission_error",
    retry: false,
  },
  scope_not_allowed: {
    status: 403,
    type: "permission_error",
    retry: false,
  },
  account_frozen: {
    status: 403,
    type: "permission_error",
    retry: false,
  },
  session_limit_reached: {
    status: 403,
    type: "permission_error",
    retry: false,
  },
  role_required: {
    status: 403,
    type: "permission_error",
    retry: false,
  },
  origin_refused: {
    status: 403,
    type: "permission_error",
    retry: false,
  },
  origin_not_allowed: {
    status: 403,
    type: "permission_error",
    retry: false,
  },
  model_not_found: { status: 404, type: "not_found_error" },
  session_not_found: { status: 404, type: "not_found_error" },
  generation_not_found: { status: 404, type: "not_found_error" },
  resource_not_found: { status: 404, type: "not_found_error" },
  product_not_found: { status: 404, type: "not_found_error" },
  not_configured: { status: 404, type: "not_found_error" },
  unknown_endpoint: { status: 404, type: "not_found_error" },
  method_not_allowed: { status: 405, type: "invalid_request_error" },
  request_timeout: { status: 408, type: "invalid_request_error", closes: true },
  session_busy: { status: 409, type: "conflict_error" },
  payment_method_required: { status: 409, type: "conflict_error" },
  conflict: { status: 409, type: "conflict_error" },
  payload_too_large: { status: 413, type: "invalid_request_error" },
  unsupported_media_type: { status: 415, type: "invalid_request_error" },
  websocket_not_supported: { status: 426, type: "invalid_request_error", retry: false },
  terms_acceptance_required: {
    status: 428,
    type: "terms_acceptance_required",
    retry: false,
  },
  rate_limit_exceeded: { status: 429, type: "rate_limit_error" },
  too_many_checkouts: { status: 429, type: "rate_limit_error", retry: false },
  client_gone: { status: 499, type: "api_error" },
  notification_body_consumed: { status: 500, type: "api_error" },
  internal_error: { status: 500, type: "api_error" },
  upstream_failed: { status: 502, type: "upstream_error" },
  upstream_invalid_response: { status: 502, type: "upstream_error" },
  upstream_rejected_credentials: { status: 502, type: "upstream_error" },
  store_unavailable: { status: 503, type: "service_unavailable" },
  payment_provider_unavailable: { status: 503, type: "service_unavailable" },
  upstream_unavailable: { status: 503, type: "service_unavailable" },
  upstream_overloaded: { status: 503, type: "service_unavailable" },
  upstream_timeout: { status: 503, type: "service_unavailable" },
  over_capacity: { status: 503, type: "service_unavailable" },
  draining: { status: 503, type: "service_unavailable" },
} as const satisfies Record<string, ErrorKind>;

/** The `code` member of an error body. */
export type ErrorCode = keyof typeof errorTable;

/** The row of the table for a code, in the widest type of a row. */
export const errorKind = (code: ErrorCode): ErrorKind => errorTable[code];
