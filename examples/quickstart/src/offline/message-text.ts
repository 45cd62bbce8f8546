import type { ChatMessage } from "@tollgate/core/provider";

/** Returns the text of a message, with each text part on its own line. */
export function messageText(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((part) => ("text" in part && typeof part.text === "string" ? part.text : ""))
    .filter((text) => text !== "")
    .join("\n");
}

/** Returns the number of images in a message. */
export function imageCount(message: ChatMessage): number {
  const { content } = message;
  return Array.isArray(content) ? content.filter((part) => "image_url" in part).length : 0;
}

/** Returns the last user message, or undefined if there is none. */
export const lastUserMessage = (messages: readonly ChatMessage[]): ChatMessage | undefined =>
  messages.findLast((message) => message.role === "user");

/** Returns the tool results at the end of the history, oldest first; empty if the last message is not a tool result. */
export function trailingToolResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const before = messages.findLastIndex((message) => message.role !== "tool");
  return messages.slice(before + 1);
}
