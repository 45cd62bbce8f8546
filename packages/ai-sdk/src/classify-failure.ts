import type { APICallError } from "@ai-sdk/provider";
import { isJsonObject, tryParseJson } from "@tollgate/core/internal";
import {
  classifyBodyFailure,
  classifyConnectFailure,
  classifyErrorPayload,
  type FailureContext,
  ProviderError,
  readRetryAfter,
} from "@tollgate/core/provider";

/**
 * Converts an error that a model threw or sent in its stream to a ProviderError. The SDK's own errors contain the prompt,
 * the URL and the body of the call, so they never become its `cause`.
 */
export function classifyFailure(thrown: unknown, context: FailureContext): ProviderError {
  if (ProviderError.is(thrown)) return thrown;
  if (isApiCallError(thrown)) return classifyApiCallError(thrown, context);
  if (!(thrown instanceof Error)) return classifyErrorPayload(thrown, undefined, context);
  const { provider = "The provider" } = context;
  if (isOneOf(thrown, requestErrors)) return classifyErrorPayload({ message: thrown.message }, 400, context);
  if (isOneOf(thrown, answerErrors)) return classifyParseError(thrown, context);
  if (isOneOf(thrown, settingErrors)) {
    return new ProviderError(
      "credentials",
      `${provider} has no API key, or a setting is missing. Pass it to the SDK's provider.`,
    );
  }
  if (isOneOf(thrown, ["NoSuchModelError"])) {
    return new ProviderError("credentials", `${provider} has no model of this name. Check the target's model.`);
  }
  return classifyOther(thrown, provider, context);
}

/** The errors of the AI SDK that calling a language model can throw, by the name in their brand. */
const requestErrors = ["UnsupportedFunctionalityError", "InvalidPromptError", "InvalidArgumentError"];
const answerErrors = [
  "TypeValidationError",
  "InvalidResponseDataError",
  "JSONParseError",
  "EmptyResponseBodyError",
  "NoContentGeneratedError",
];
const settingErrors = ["LoadAPIKeyError", "LoadSettingError"];

/** The SDK's providers report an error object that they do not recognize as an invalid response. */
function classifyParseError(error: Error, context: FailureContext): ProviderError {
  const value: unknown = "value" in error ? error.value : undefined;
  return hasError(value) ? classifyErrorPayload(value, undefined, context) : invalidAnswer(context);
}

const hasError = (value: unknown): boolean => isJsonObject(value) && value["error"] != null;

/** Classifies errors of the platform, and of providers with their own error classes, such as the SDK's gateway. */
function classifyOther(error: Error, provider: string, context: FailureContext): ProviderError {
  const status: unknown = "statusCode" in error ? error.statusCode : undefined;
  if (typeof status === "number") {
    const type: unknown = "type" in error ? error.type : undefined;
    return classifyErrorPayload({ message: error.message, type }, status, context);
  }
  const network = networkError(error);
  if (network !== undefined) return classifyConnectFailure(network);
  if (error.name === "TimeoutError") {
    return new ProviderError("timeout", `${provider} did not answer in time. Try again, or use another target.`);
  }
  // The message may quote a header, and so a key.
  return new ProviderError("failed", `${provider} failed (${error.name}). Try again, or use another target.`);
}

/** Classifies a failed HTTP call by its status and body, as core classifies a response of its own transport. */
function classifyApiCallError(error: APICallError, context: FailureContext): ProviderError {
  const { statusCode: status, responseBody, data } = error;
  const all = { ...context, hidden: [...(context.hidden ?? []), ...hostsOf(error.url)] };
  const payload = responseBody || data;
  if (status === undefined && payload === undefined) return classifyConnectFailure(networkError(error) ?? error);
  if (status !== undefined && status < 400) return classifyUnreadable(error, all);
  return withRetryAfter(classifyErrorPayload(payload, status, all), error.responseHeaders);
}

/** Classifies a successful status whose body reports an error, was cut off, or is not what the SDK's provider expects. */
function classifyUnreadable(error: APICallError, context: FailureContext): ProviderError {
  const body = tryParseJson(error.responseBody ?? "");
  if (hasError(body)) return classifyErrorPayload(body, undefined, context);
  const { cause } = error;
  return cause instanceof Error && !hasBrand(cause, "vercel.ai.error")
    ? classifyBodyFailure(networkError(error) ?? error)
    : invalidAnswer(context);
}

function withRetryAfter(sorted: ProviderError, headers: Readonly<Record<string, string>> | undefined): ProviderError {
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const seconds = readRetryAfter((name) => byName.get(name));
  if (seconds === undefined) return sorted;
  return new ProviderError(sorted.failure, sorted.message, { ...sorted.details, retryAfterSeconds: seconds });
}

function hostsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { host, hostname } = new URL(url);
  return [host, hostname];
}

const maxDepth = 8;

/**
 * Returns the error whose direct cause is the network error, which is the form that `classifyConnectFailure` of core reads.
 * The SDK and `fetch` each add a wrapper. Returns undefined if no error in the chain of causes has a `code`.
 */
function networkError(error: Error): Error | undefined {
  let holder = error;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const { cause } = holder;
    if (!(cause instanceof Error)) return undefined;
    if ("code" in cause && typeof cause.code === "string") return holder;
    holder = cause;
  }
  return undefined;
}

const isOneOf = (error: Error, names: readonly string[]): boolean =>
  names.some((name) => hasBrand(error, `vercel.ai.error.AI_${name}`));

const isApiCallError = (error: unknown): error is APICallError => hasBrand(error, "vercel.ai.error.AI_APICallError");

/** True for an error of the AI SDK, from any copy of its packages: they are branded with `Symbol.for`. */
const hasBrand = (error: unknown, brand: string): boolean =>
  error instanceof Error && Reflect.get(error, Symbol.for(brand)) === true;

const invalidAnswer = ({ provider = "The provider" }: FailureContext): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} returned a response that the AI SDK cannot read. Check its base URL and the version of its package.`,
  );
