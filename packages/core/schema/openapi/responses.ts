import { type ErrorCode, errorTable } from "../../src/errors/error-table.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { ref } from "./answer-schemas.ts";

const header = (description: string, schema: JsonObject, required = false): JsonObject => ({
  description,
  ...(required ? { required } : {}),
  schema,
});

const requestId = { $ref: "#/components/headers/RequestId" };
const limits = {
  "X-RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "X-RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "X-RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
};
const retryAfter = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
const shouldRetry = { "X-Should-Retry": { $ref: "#/components/headers/ShouldRetry" } };

/** The headers of responses. */
export const headerComponents: JsonObject = {
  RequestId: header(
    "The id of the request. It is the client's `x-request-id` if that was valid.",
    { type: "string" },
    true,
  ),
  RateLimitLimit: header("The requests that the key may send in the current window.", { type: "integer" }),
  RateLimitRemaining: header("The requests that are left in the current window.", { type: "integer" }),
  RateLimitReset: header("The end of the window, in seconds since the Unix epoch.", { type: "integer" }),
  RetryAfter: header("Seconds after which a retry can succeed.", { type: "integer" }),
  ShouldRetry: header("`false` if a retry cannot succeed soon.", { const: "false" }),
  Attempts: header("The attempts at providers.", { type: "integer" }),
  OutputLimit: header("The output was capped to this number of tokens, which the balance covers.", { type: "integer" }),
  Authenticate: header("The scheme that the request needs.", { const: "Bearer" }, true),
};

/** The headers of a completion. */
export const completionHeaders: JsonObject = {
  "X-Router-Attempts": { $ref: "#/components/headers/Attempts" },
  "X-Router-Output-Limit": { $ref: "#/components/headers/OutputLimit" },
};

/** Returns a response with a body, or without one for undefined. */
export function success(description: string, content: JsonObject | undefined, more: JsonObject = {}): JsonObject {
  return {
    description,
    headers: { "X-Request-Id": requestId, ...limits, ...more },
    ...(content === undefined ? {} : { content }),
  };
}

/** Content in JSON of a component. */
export const json = (name: string): JsonObject => ({ "application/json": { schema: ref(name) } });

const conditions: Readonly<Record<number, string>> = {
  400: "The body, a parameter or the context is invalid.",
  401: "The key or the browser token is missing, invalid, expired or revoked.",
  402: "The prepaid balance is insufficient, or a spend limit was reached.",
  403: "The key lacks the scope; the key, the plan or the model cannot use the requested feature or dialect; a limit of the account was reached; the account is frozen; or a browser token was sent from elsewhere than from a page of its origins.",
  404: "The model, the session or the request is not available to the key or the browser token.",
  408: "The body did not arrive in time.",
  409: "Another message of the session is being answered.",
  413: "The body exceeds the accepted size.",
  428: "The account has to accept the current terms.",
  429: "A limit of the key was reached.",
  500: "An unexpected internal error.",
  502: "The provider failed, or its answer was invalid.",
  503: "Capacity, a store or a provider is unavailable.",
};

/** Returns the error responses with these statuses. */
export const errors = (...statuses: readonly number[]): JsonObject =>
  Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]));

/** Codes that no operation of the router or the sessions answers with: those of the management API, of payments, and of unknown paths. */
const otherCodes: readonly ErrorCode[] = [
  "authorization_required",
  "role_required",
  "origin_refused",
  "conflict",
  "unsupported_media_type",
  "notification_refused",
  "product_not_found",
  "payment_method_required",
  "too_many_checkouts",
  "notification_body_consumed",
  "payment_provider_unavailable",
  "unknown_endpoint",
];

/** Codes that only the endpoints of the account answer with. */
export const accountCodes: readonly ErrorCode[] = ["generation_not_found", "not_configured"];

/** Codes that only the session endpoints answer with. */
export const sessionCodes: readonly ErrorCode[] = ["session_limit_reached", "session_not_found", "session_busy"];

/** The error responses by status, with the codes of the table of errors except `left`. */
export const errorResponses = (left: readonly ErrorCode[]): JsonObject =>
  Object.fromEntries(
    Object.entries(conditions).map(([text, condition]) => {
      const status = Number(text);
      const codes = codesOf(status).filter((code) => !left.includes(code) && !otherCodes.includes(code));
      return [
        `Error${status}`,
        {
          description: `${condition} Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
          headers: { "X-Request-Id": requestId, ...headersOf(status) },
          content: json(status === 428 ? "TermsError" : "Error"),
        },
      ];
    }),
  );

function codesOf(status: number): readonly ErrorCode[] {
  const codes: readonly string[] = Object.keys(errorTable);
  return codes.filter(isErrorCode).filter((code) => errorTable[code].status === status);
}

const isErrorCode = (code: string): code is ErrorCode => code in errorTable;

function headersOf(status: number): JsonObject {
  if (status === 401) return { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } };
  const ofKey = { ...limits, ...shouldRetry };
  return status === 429 || status === 503 ? { ...ofKey, ...retryAfter } : ofKey;
}
