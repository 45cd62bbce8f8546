import type { ChatCompletionRequest, Usage } from "@tollgate/core/provider";
import { imageCount, messageText } from "./message-text.ts";
import type { TokenizedDraft } from "./tokenize-draft.ts";
import { countTokens } from "./tokens.ts";

const messageOverhead = 4;
const imageTokens = 85;

/** Returns the usage of a request and its choices. */
export function countUsage(request: ChatCompletionRequest, choices: readonly TokenizedDraft[]): Usage {
  const prompt = countPrompt(request);
  const tokens = choices.flatMap((choice) => choice.tokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.length,
    total_tokens: prompt + tokens.length,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: tokens.filter(({ part }) => part === "reasoning").length },
  };
}

function countPrompt({ messages, tools }: ChatCompletionRequest): number {
  const counts = messages.map(
    (message) =>
      messageOverhead +
      countTokens(messageText(message)) +
      (message.tool_calls == null ? 0 : countTokens(JSON.stringify(message.tool_calls))) +
      imageCount(message) * imageTokens,
  );
  return counts.reduce((sum, count) => sum + count, tools == null ? 0 : countTokens(JSON.stringify(tools)));
}
