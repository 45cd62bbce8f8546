import type { ChatCompletionRequest } from "@tollgate/core/provider";
import { lastUserMessage, messageText } from "./message-text.ts";

/** What the offline provider thinks aloud when an effort is asked for: a sentence at "low", two at "medium", else three. */
export function reasoningFor(request: ChatCompletionRequest): string | undefined {
  const effort = request.reasoning_effort;
  if (effort == null || effort === "none") return undefined;
  const message = lastUserMessage(request.messages);
  const words = message === undefined ? 0 : messageText(message).split(/\s+/).filter(Boolean).length;
  const thoughts = [
    `The user wrote ${words} ${words === 1 ? "word" : "words"}.`,
    "An echo is the honest answer of a provider without a model.",
    "Nothing in the history changes that.",
  ];
  const depth = effort === "low" || effort === "minimal" ? 1 : effort === "medium" ? 2 : 3;
  return thoughts.slice(0, depth).join(" ");
}
