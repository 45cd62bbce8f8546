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

/** Returns what the user wrote last. Empty if there is no user message. */
export function lastUserText(messages: readonly ChatMessage[]): string {
  const message = lastUserMessage(messages);
  return message === undefined ? "" : writtenText(message);
}

/** Returns the text of a message without the reminders that Claude Code and opencode add to it. */
export function writtenText(message: ChatMessage): string {
  const [before = "", ...reminders] = messageText(message).split("<system-reminder>");
  if (reminders.length === 0) return before;
  return [before, ...reminders.map((reminder) => reminder.split("</system-reminder>").at(-1))].join("").trim();
}

/** Returns the messages since the last answer. */
export const latestInput = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.slice(messages.findLastIndex((message) => message.role === "assistant") + 1);

/** Returns the tool results since the last answer, oldest first. Agents may add a message of their own after them. */
export const latestToolResults = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  latestInput(messages).filter((message) => message.role === "tool");
