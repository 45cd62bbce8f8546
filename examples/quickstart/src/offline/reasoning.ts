import type { ChatCompletionRequest } from "@tollgate/core/provider";
import { lastUserText } from "./message-text.ts";

/** Returns the reasoning for a request with a reasoning effort: one sentence for "low", two for "medium", otherwise three. */
export function draftReasoning(request: ChatCompletionRequest): string | undefined {
  const effort = request.reasoning_effort;
  if (effort == null || effort === "none") return undefined;
  const words = lastUserText(request.messages).split(/\s+/).filter(Boolean).length;
  const thoughts = [
    `The user wrote ${words} ${words === 1 ? "word" : "words"}.`,
    "This provider has no model, so it echoes the message.",
    "The earlier messages do not change the answer.",
  ];
  const depth = effort === "low" || effort === "minimal" ? 1 : effort === "medium" ? 2 : 3;
  return thoughts.slice(0, depth).join(" ");
}
