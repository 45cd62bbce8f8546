import type { APICallError } from "@ai-sdk/provider";

/** The errors of the AI SDK that a call of a language model can end with, by the name in their brand. */
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

/** True for an error of the AI SDK of any copy of its packages: they are branded with `Symbol.for`. */
export const isSdkError = (error: unknown): error is Error => hasBrand(error, "vercel.ai.error");

/** True for an error of the AI SDK that is one of these. */
export const isOneOf = (error: unknown, names: readonly SdkErrorName[]): error is Error =>
  names.some((name) => hasBrand(error, `vercel.ai.error.AI_${name}`));

/** True for the AI SDK's error of a call over HTTP. */
export const isApiCallError = (error: unknown): error is APICallError =>
  hasBrand(error, "vercel.ai.error.AI_APICallError");

const hasBrand = (error: unknown, brand: string): boolean =>
  error instanceof Error && Reflect.get(error, Symbol.for(brand)) === true;
