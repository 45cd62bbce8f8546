import { ProviderError, type ProviderFailure } from "../errors/provider-error.ts";
import { clientText } from "./client-text.ts";
import { isContextLength } from "./context-length.ts";
import { type ErrorPayload, readErrorPayload } from "./error-payload.ts";
import { isAboutRequest } from "./request-refusal.ts";

/** What is known of the upstream whose failure is sorted. */
export interface FailureContext {
  /** The adapter's name, for the host's message. */
  readonly provider?: string;
  /** Strings that must not reach the client: the key, the host, the upstream's model name. */
  readonly hidden?: readonly string[];
}

/**
 * Sorts an error found where an answer was due: the `error` member of a stream frame, or a whole frame or body that
 * holds one. Without a `status` of 4xx or 5xx the payload's own status or code decides, and `failed` when it has none.
 */
export function sortErrorPayload(error: unknown, status?: number, context: FailureContext = {}): ProviderError {
  const payload = readErrorPayload(error);
  return toProviderError(status !== undefined && status >= 400 ? status : payload.status, payload, context);
}

/** The failure that a status and an error payload say. */
export function toProviderError(
  status: number | undefined,
  payload: ErrorPayload,
  { provider = "The provider", hidden = [] }: FailureContext,
): ProviderError {
  const failure = classify(status, payload);
  const name = payload.names.find((each) => /^[A-Za-z_.-]+$/.test(each));
  const answer = `${status ?? "an error"}${name === undefined ? "" : ` (${name})`}`;
  const isShown = failure === "rejected" || failure === "context_length";
  const text = isShown && payload.shown !== undefined ? clientText(payload.shown, hidden) : undefined;
  const requestOnly = failure === "credentials" && isAboutRequest(status, payload);
  const param =
    payload.param !== undefined && clientText(payload.param, hidden) === payload.param ? payload.param : undefined;
  return new ProviderError(failure, `${provider} answered ${answer}. ${requestOnly ? requestCure : cures[failure]}`, {
    ...(requestOnly ? { requestOnly } : {}),
    ...(status === undefined ? {} : { status }),
    ...(text === undefined ? {} : { clientMessage: text }),
    ...(param === undefined ? {} : { param }),
    ...(payload.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: payload.retryAfterSeconds }),
  });
}

function classify(status: number | undefined, { names, message }: ErrorPayload): ProviderFailure {
  if (names.some((name) => accountNames.has(name.toLowerCase()))) return "credentials";
  const blamesRequest = status === undefined || status === 400 || status === 413 || status === 422;
  if (
    blamesRequest &&
    (names.some((name) => isContextLength(name, undefined)) || isContextLength(undefined, message))
  ) {
    return "context_length";
  }
  if (blamesRequest && message !== undefined && accountText.test(message)) return "credentials";
  return status === undefined ? "failed" : classifyStatus(status);
}

function classifyStatus(status: number): ProviderFailure {
  const listed = failureOfStatus.get(status);
  if (listed !== undefined) return listed;
  return status < 400 ? "invalid_response" : "failed";
}

const failureOfStatus: ReadonlyMap<number, ProviderFailure> = new Map([
  [400, "rejected"],
  [401, "credentials"],
  [402, "credentials"],
  [403, "credentials"],
  [404, "credentials"],
  // The wrong method, a proxy's own login, a removed path and the wrong host are the host's configuration too.
  [405, "credentials"],
  [407, "credentials"],
  [410, "credentials"],
  [421, "credentials"],
  [413, "too_large"],
  [422, "rejected"],
  [429, "overloaded"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

/** Some upstreams answer 400 or 429 when it is the host's key, account or model that is at fault. */
const accountNames: ReadonlySet<string> = new Set([
  "invalid_api_key",
  "api_key_invalid",
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_not_active",
  "account_deactivated",
  "enforced_spend_limit_reached",
  "contract_spend_limit_reached",
  "organization_on_hold",
  "model_not_found",
  "deploymentnotfound",
]);

/** Only where a message begins: further on it may quote the request, and no caller may open the breaker of all others. */
const accountText =
  /^\s*(?:api key not valid|(?:incorrect|invalid) api key|your credit balance is too low|you have reached your specified (?:workspace )?api usage limits|user location is not supported|gemini api free tier is not available|please enable billing)/i;

const requestCure =
  "It was refused for what this request asks. Add credits at this provider, lower the model's maxOutputTokens, or offer no more than the upstream model can do.";

const cures: { readonly [failure in ProviderFailure]: string } = {
  rejected: "The request has to change before it can succeed.",
  context_length: "The prompt has to be shorter, or the model's context window larger.",
  too_large: "The request has to be smaller.",
  credentials: "Check the API key, the account, the base URL and the model's name at this provider.",
  failed: "Try again, or use another target.",
  overloaded: "Wait before the next try, or use another target.",
  unreachable: "Check the base URL and the network.",
  timeout: "Try again, or use another target.",
  invalid_response: "Check that the base URL is that of this provider's API.",
};
