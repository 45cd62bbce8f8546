import type { ChatMessage } from "./chat-completion-request.ts";

/**
 * Returns a message with the member for thoughts, which is empty if there are none. Upstreams that read thoughts want it in
 * each message with calls.
 * Follows https://api-docs.deepseek.com/guides/thinking_mode
 */
export const withThoughts = (message: ChatMessage): ChatMessage =>
  message.tool_calls == null || message["reasoning_content"] !== undefined
    ? message
    : { ...message, reasoning_content: "" };
