import type { ChatCompletionRequest } from "@tollgate/core/provider";
import type { GeminiRequest, SafetySetting } from "./gemini-request.ts";
import { toGenerationConfig } from "./generation-config.ts";
import { mapMessages } from "./map-messages.ts";
import { mapTools } from "./map-tools.ts";
import { refuseUnsupported } from "./unsupported-fields.ts";

/** Options that the host sets for all requests. */
export interface RequestSettings {
  readonly includeThoughts: boolean;
  readonly safetySettings: readonly SafetySetting[];
}

/**
 * Maps a request to the Gemini API. Throws a ProviderError of the kind `rejected` that names the field if the API does
 * not support it.
 */
export function toGeminiRequest(request: ChatCompletionRequest, settings: RequestSettings): GeminiRequest {
  refuseUnsupported(request);
  const generationConfig = toGenerationConfig(request, settings.includeThoughts);
  return {
    ...mapMessages(request.messages, request.model),
    ...mapTools(request),
    ...(generationConfig === undefined ? {} : { generationConfig }),
    ...(settings.safetySettings.length === 0 ? {} : { safetySettings: settings.safetySettings }),
  };
}
