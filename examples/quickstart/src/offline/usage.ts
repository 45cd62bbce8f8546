import type { ChatCompletionRequest, Usage } from "@tollgate/core/provider";
import { imageCount, messageText } from "./message-text.ts";
import type { CutDraft } from "./pieces.ts";
import { countTokens } from "./tokens.ts";

const messageOverhead = 4;
const imageTokens = 85;

/** The usage of a request and its choices, counted the same way each time. */
export function countUsage(request: ChatCompletionRequest, choices: readonly CutDraft[]): Usage {
  const prompt = countPrompt(request);
  const pieces = choices.flatMap((choice) => choice.pieces);
  return {
    prompt_tokens: prompt,
    completion_tokens: pieces.length,
    total_tokens: prompt + pieces.length,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: pieces.filter(({ part }) => part === "reasoning").length },
  };
}

function countPrompt({ messages, tools }: ChatCompletionRequest): number {
  const spoken = messages.map(
    (message) =>
      messageOverhead +
      countTokens(messageText(message)) +
      (message.tool_calls == null ? 0 : countTokens(JSON.stringify(message.tool_calls))) +
      imageCount(message) * imageTokens,
  );
  return spoken.reduce((sum, count) => sum + count, tools == null ? 0 : countTokens(JSON.stringify(tools)));
}
