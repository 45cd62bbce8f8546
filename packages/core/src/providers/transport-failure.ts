import { ProviderError } from "../errors/provider-error.ts";
import { isJsonObject } from "../wire/json.ts";

const timeoutCodes: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/**
 * Classifies a network error before the response head as `timeout` or `unreachable`. The message has the error code but
 * no address. For authors of transports.
 */
export function classifyConnectFailure(error: unknown): ProviderError {
  const cause = networkCause(error);
  const code = errorCode(cause);
  if (code !== undefined && timeoutCodes.has(code)) return connectTimeout(cause);
  return new ProviderError(
    "unreachable",
    `The provider could not be reached (${code ?? "no code"}). Check its base URL and whether it is available.`,
    { cause },
  );
}

/** Classifies a network error within the response body as `failed`. For authors of transports. */
export function classifyBodyFailure(error: unknown): ProviderError {
  const cause = networkCause(error);
  const code = errorCode(cause) ?? "no code";
  return new ProviderError("failed", `The provider's answer broke off (${code}). Try again, or use another target.`, {
    cause,
  });
}

/** Makes the error of a connection that was not established in time. */
export const connectTimeout = (cause?: unknown): ProviderError =>
  new ProviderError("timeout", "The provider did not accept a connection in time. Check its base URL and network.", {
    cause,
  });

/** Returns the network error that `fetch` wraps in a TypeError, whose message may quote request headers. */
function networkCause(error: unknown): unknown {
  const inner = error instanceof Error ? error.cause : undefined;
  if (inner instanceof Error) return inner;
  return errorCode(error) === undefined ? undefined : error;
}

function errorCode(error: unknown): string | undefined {
  if (!isJsonObject(error)) return undefined;
  if (typeof error["code"] === "string") return error["code"];
  const { errors } = error;
  return Array.isArray(errors) ? errorCode(errors[0]) : undefined;
}
