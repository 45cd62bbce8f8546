import type { ChatMessage } from "./chat-completion-request.ts";

/**
 * Returns messages in the order that upstreams want: the results of calls directly after the message with the calls, and what
 * stood between them after that. A call that is followed by no result but by another message gets one that says so. A result without a call stays where it is.
 */
export function resultsAfterCalls(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (messages.every(({ role, tool_calls: calls }) => role !== "tool" && (calls ?? []).length === 0)) return messages;
  const entries: { readonly message: ChatMessage; readonly results: ChatMessage[] }[] = [];
  const byCall = new Map<string, (typeof entries)[number]>();
  for (const message of messages) {
    const { role, tool_call_id: id, tool_calls: calls } = message;
    const called = role === "tool" ? byCall.get(id ?? "") : undefined;
    if (called !== undefined) called.results.push(message);
    else {
      const entry = { message, results: [] };
      entries.push(entry);
      for (const call of calls ?? []) byCall.set(call.id, entry);
    }
  }
  return entries.flatMap(({ message, results }, at) => [
    message,
    ...results,
    ...(at < entries.length - 1 ? missing(message, results) : []),
  ]);
}

function missing({ tool_calls: calls }: ChatMessage, results: readonly ChatMessage[]): readonly ChatMessage[] {
  const answered = new Set(results.map(({ tool_call_id: id }) => id));
  return (calls ?? [])
    .filter(({ id }) => !answered.has(id))
    .map(({ id }) => ({ role: "tool", tool_call_id: id, content: noResult }));
}

const noResult = "The call has no result.";
