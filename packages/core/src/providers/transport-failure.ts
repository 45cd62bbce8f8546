import { ProviderError } from "../errors/provider-error.ts";
import { isJsonObject } from "../wire/json.ts";

const timeoutCodes: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/**
 * Sorts what a network failed with before the head of the answer: `timeout` or `unreachable`. The message holds the
 * network's error code, never an address. For authors of transports.
 */
export function sortConnectFailure(error: unknown): ProviderError {
  const cause = networkCause(error);
  const code = errorCode(cause);
  if (code !== undefined && timeoutCodes.has(code)) return connectTimeout(cause);
  return new ProviderError(
    "unreachable",
    `The provider could not be reached (${code ?? "no code"}). Check its base URL and that it is up.`,
    { cause },
  );
}

/** Sorts what a network failed with inside the body of an answer: always `failed`. For authors of transports. */
export function sortBodyFailure(error: unknown): ProviderError {
  const cause = networkCause(error);
  const code = errorCode(cause) ?? "no code";
  return new ProviderError("failed", `The provider's answer broke off (${code}). Try again, or use another target.`, {
    cause,
  });
}

/** The failure of a connection that was not there in time. */
export const connectTimeout = (cause?: unknown): ProviderError =>
  new ProviderError("timeout", "The provider did not accept a connection in time. Check its base URL and network.", {
    cause,
  });

/** `fetch` wraps the network's error in a TypeError whose own text can quote request headers; only the inner one is kept. */
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
