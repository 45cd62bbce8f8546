import type { LanguageModelV3 } from "@ai-sdk/provider";

/** The model, if it is of the specification that this package knows. Throws a TypeError otherwise. */
export function languageModel(model: LanguageModelV3): LanguageModelV3 {
  // Callers without types also pass the names that only the SDK's own gateway knows, and models of other versions.
  if (typeof model === "object" && model !== null && model.specificationVersion === "v3") return model;
  throw new TypeError(
    "aiSdk: the model is not of the AI SDK's specification v3. Install the version of its provider package for AI SDK 6.",
  );
}
