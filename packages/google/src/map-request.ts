import type { ChatCompletionRequest } from "@tollgate/core/provider";
import type { GeminiRequest, SafetySetting } from "./gemini-request.ts";
import { toGenerationConfig } from "./generation-config.ts";
import { mapMessages } from "./map-messages.ts";
import { mapTools } from "./map-tools.ts";
import { refuseUnsupported } from "./unsupported-fields.ts";

/** What the host decided of every request. */
export interface RequestSettings {
  readonly includeThoughts: boolean;
  readonly safetySettings: readonly SafetySetting[];
}

/**
 * A request as the Gemini API takes it. Throws a ProviderError of the kind `rejected` that names the field for what
 * the API has no way to take.
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
