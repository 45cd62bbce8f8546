import type { ChatMessage } from "./chat-completion-request.ts";

/** The messages less their optional members that are null; undefined when they have none. `content` stays. */
export const withoutNulls = (messages: readonly ChatMessage[]): readonly ChatMessage[] | undefined =>
  messages.some(hasNull) ? messages.map(withoutNull) : undefined;

const hasNull = ({ name, tool_call_id, tool_calls }: ChatMessage): boolean =>
  name === null || tool_call_id === null || tool_calls === null;

function withoutNull(message: ChatMessage): ChatMessage {
  if (!hasNull(message)) return message;
  const { name, tool_call_id, tool_calls, ...others } = message;
  return {
    ...others,
    ...(name == null ? {} : { name }),
    ...(tool_call_id == null ? {} : { tool_call_id }),
    ...(tool_calls == null ? {} : { tool_calls }),
  };
}
