import type { LanguageModelV3 } from "@ai-sdk/provider";
import { ProviderError } from "@tollgate/core/provider";

/** Checks the model that the host passed as an option. Throws a TypeError if it implements another specification. */
export function requireOptionModel(model: LanguageModelV3): LanguageModelV3 {
  if (isV3(model)) return model;
  throw new TypeError(`aiSdk: ${wrongSpecification}`);
}

/** Checks the model that the host's function returned for a call. Throws a ProviderError if it implements another specification. */
export function requireCallModel(model: LanguageModelV3): LanguageModelV3 {
  if (isV3(model)) return model;
  throw new ProviderError("credentials", wrongSpecification);
}

const wrongSpecification =
  "The model does not implement specification v3 of the AI SDK. Install the version of its provider package for AI SDK 6.";

/** Untyped callers may also pass a model name, which only the SDK's own gateway resolves, or a model of another version. */
const isV3 = (model: LanguageModelV3): boolean =>
  typeof model === "object" && model !== null && model.specificationVersion === "v3";
