import type { LanguageModelV3FinishReason } from "@ai-sdk/provider";
import { ProviderError } from "@tollgate/core/provider";

/** Maps a finish reason to OpenAI's. Throws a ProviderError if the reason is an error. */
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
        `The model ended with an error${inBrackets(raw)}. Try again, or use another target.`,
      );
    // Tool calls that the upstream executed are not passed to the client, so they do not end its turn.
    default:
      return hasCalls ? "tool_calls" : "stop";
  }
}

const inBrackets = (raw: string | undefined) => (raw !== undefined && /^[\w.-]{1,60}$/.test(raw) ? ` (${raw})` : "");
