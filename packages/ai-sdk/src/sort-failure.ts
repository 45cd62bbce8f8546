import { type FailureContext, ProviderError, sortConnectFailure, sortErrorPayload } from "@tollgate/core/provider";
import { invalidAnswer } from "./invalid-answer.ts";
import { isJsonObject } from "./json-object.ts";
import { networkError } from "./network-error.ts";
import { isApiCallError, isOneOf, type SdkErrorName } from "./sdk-errors.ts";
import { sortApiCallError } from "./sort-api-call-error.ts";

/**
 * What a model threw, or put into its stream as an error, as a ProviderError. The SDK's own errors hold the prompt,
 * the address and the body of the call, so they are never kept as its cause.
 */
export function sortFailure(thrown: unknown, context: FailureContext): ProviderError {
  if (ProviderError.is(thrown)) return thrown;
  if (isApiCallError(thrown)) return sortApiCallError(thrown, context);
  if (!(thrown instanceof Error)) return sortErrorPayload(thrown, undefined, context);
  const { provider = "The provider" } = context;
  if (isOneOf(thrown, requestErrors)) return sortErrorPayload({ message: thrown.message }, 400, context);
  if (isOneOf(thrown, answerErrors)) return sortReading(thrown, context);
  if (isOneOf(thrown, settingErrors)) {
    return new ProviderError(
      "credentials",
      `${provider} lacks its API key or a setting. Give it to the SDK's provider.`,
    );
  }
  if (isOneOf(thrown, ["NoSuchModelError"])) {
    return new ProviderError("credentials", `${provider} has no model of this name. Check the target's model.`);
  }
  return sortOther(thrown, provider, context);
}

const requestErrors: readonly SdkErrorName[] = [
  "UnsupportedFunctionalityError",
  "InvalidPromptError",
  "InvalidArgumentError",
];
const answerErrors: readonly SdkErrorName[] = [
  "TypeValidationError",
  "InvalidResponseDataError",
  "JSONParseError",
  "EmptyResponseBodyError",
  "NoContentGeneratedError",
];
const settingErrors: readonly SdkErrorName[] = ["LoadAPIKeyError", "LoadSettingError"];

/** Providers of the SDK take an error of a form that they do not know for an answer of a wrong one. */
function sortReading(error: Error, context: FailureContext): ProviderError {
  const value: unknown = "value" in error ? error.value : undefined;
  const tellsError = isJsonObject(value) && value["error"] != null;
  return tellsError ? sortErrorPayload(value, undefined, context) : invalidAnswer(context);
}

/** Errors of the platform, and of providers that have errors of their own, as the SDK's gateway has. */
function sortOther(error: Error, provider: string, context: FailureContext): ProviderError {
  const status: unknown = "statusCode" in error ? error.statusCode : undefined;
  if (typeof status === "number") {
    const type: unknown = "type" in error ? error.type : undefined;
    return sortErrorPayload({ message: error.message, type }, status, context);
  }
  const network = networkError(error);
  if (network !== undefined) return sortConnectFailure(network);
  if (error.name === "TimeoutError") {
    return new ProviderError("timeout", `${provider} did not answer in time. Try again, or use another target.`);
  }
  // Its words may quote a header, and so a key.
  return new ProviderError("failed", `${provider} failed (${error.name}). Try again, or use another target.`);
}
