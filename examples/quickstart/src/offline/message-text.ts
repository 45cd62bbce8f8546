import type { ChatMessage } from "@tollgate/core/provider";

/** The text of a message: its content, or its text parts one to a line. */
export function messageText(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((part) => ("text" in part && typeof part.text === "string" ? part.text : ""))
    .filter((text) => text !== "")
    .join("\n");
}

/** How many images a message holds. */
export function imageCount(message: ChatMessage): number {
  const { content } = message;
  return Array.isArray(content) ? content.filter((part) => "image_url" in part).length : 0;
}

/** The last message that the user wrote, or undefined when there is none. */
export const lastUserMessage = (messages: readonly ChatMessage[]): ChatMessage | undefined =>
  messages.findLast((message) => message.role === "user");

/** The tool results that end the history, oldest first; empty when the last message is none. */
export function closingToolResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const before = messages.findLastIndex((message) => message.role !== "tool");
  return messages.slice(before + 1);
}
