import type { APICallError } from "@ai-sdk/provider";

/** The errors of the AI SDK that calling a language model can throw, by the name in their brand. */
export type SdkErrorName =
  | "APICallError"
  | "EmptyResponseBodyError"
  | "InvalidArgumentError"
  | "InvalidPromptError"
  | "InvalidResponseDataError"
  | "JSONParseError"
  | "LoadAPIKeyError"
  | "LoadSettingError"
  | "NoContentGeneratedError"
  | "NoSuchModelError"
  | "TypeValidationError"
  | "UnsupportedFunctionalityError";

/** Returns true for an error of the AI SDK, from any copy of its packages: they are branded with `Symbol.for`. */
export const isSdkError = (error: unknown): error is Error => hasBrand(error, "vercel.ai.error");

/** Returns true for an error of the AI SDK with one of these names. */
export const isOneOf = (error: unknown, names: readonly SdkErrorName[]): error is Error =>
  names.some((name) => hasBrand(error, `vercel.ai.error.AI_${name}`));

/** Returns true for the AI SDK's error of a failed HTTP call. */
export const isApiCallError = (error: unknown): error is APICallError =>
  hasBrand(error, "vercel.ai.error.AI_APICallError");

const hasBrand = (error: unknown, brand: string): boolean =>
  error instanceof Error && Reflect.get(error, Symbol.for(brand)) === true;
