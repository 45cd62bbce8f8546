import type { LanguageModelV3ToolCallPart, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";

/**
 * Writes the signature of a tool call, which Gemini requires in later requests, to the member that Google's own
 * OpenAI-compatible API uses: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function writeSignature(metadata: SharedV3ProviderMetadata | undefined): JsonObject {
  const signatures = Object.values(metadata ?? {}).map((each) => each["thoughtSignature"]);
  const signature = signatures.find((each) => typeof each === "string");
  return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
}

/** Reads the signature that {@link writeSignature} wrote to a tool call, as options for the model. */
export function readSignature(call: JsonObject): Pick<LanguageModelV3ToolCallPart, "providerOptions"> {
  const extra = call["extra_content"];
  const google = isJsonObject(extra) ? extra["google"] : undefined;
  const signature = isJsonObject(google) ? google["thought_signature"] : undefined;
  if (typeof signature !== "string") return {};
  return { providerOptions: { google: { thoughtSignature: signature }, vertex: { thoughtSignature: signature } } };
}
