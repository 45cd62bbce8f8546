import {
  classifyConnectFailure,
  classifyErrorPayload,
  type FailureContext,
  ProviderError,
} from "@tollgate/core/provider";
import { classifyApiCallError } from "./classify-api-call-error.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import { isJsonObject } from "./json-object.ts";
import { networkError } from "./network-error.ts";
import { isApiCallError, isOneOf, type SdkErrorName } from "./sdk-errors.ts";

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

/** The SDK's providers report an error object that they do not recognize as an invalid response. */
function classifyParseError(error: Error, context: FailureContext): ProviderError {
  const value: unknown = "value" in error ? error.value : undefined;
  const hasError = isJsonObject(value) && value["error"] != null;
  return hasError ? classifyErrorPayload(value, undefined, context) : invalidAnswer(context);
}

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
