import type { LanguageModelV3FinishReason } from "@ai-sdk/provider";
import { ProviderError } from "@tollgate/core/provider";

/** Why a model ended, in OpenAI's words. Throws a ProviderError when it ended because of an error. */
export function toFinishReason({ unified, raw }: LanguageModelV3FinishReason, hasCalls: boolean): string {
  switch (unified) {
    case "stop":
      return "stop";
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "error":
      throw new ProviderError(
        "failed",
        `The model ended with an error${named(raw)}. Try again, or use another target.`,
      );
    // Calls that the upstream made and answered itself are no calls for the client.
    default:
      return hasCalls ? "tool_calls" : "stop";
  }
}

const named = (raw: string | undefined) => (raw !== undefined && /^[\w.-]{1,60}$/.test(raw) ? ` (${raw})` : "");
