import type { LanguageModelV3 } from "@ai-sdk/provider";
import { ProviderError } from "@tollgate/core/provider";

/** The host's own model, checked when the gateway is built. Throws a TypeError when it is of another specification. */
export function givenModel(model: LanguageModelV3): LanguageModelV3 {
  if (isOfSpecification(model)) return model;
  throw new TypeError(`aiSdk: ${wrongSpecification}`);
}

/** The model that the host's function made for a call. Throws a ProviderError when it is of another specification. */
export function madeModel(model: LanguageModelV3): LanguageModelV3 {
  if (isOfSpecification(model)) return model;
  throw new ProviderError("credentials", wrongSpecification);
}

const wrongSpecification =
  "The model is not of the AI SDK's specification v3. Install the version of its provider package for AI SDK 6.";

/** Callers without types also pass the names that only the SDK's own gateway knows, and models of other versions. */
const isOfSpecification = (model: LanguageModelV3): boolean =>
  typeof model === "object" && model !== null && model.specificationVersion === "v3";
