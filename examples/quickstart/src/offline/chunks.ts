import type { ChatCompletionChunk, ChatCompletionDelta, ChunkChoice } from "@tollgate/core/provider";
import { type CompletionHead, callId } from "./completion.ts";
import type { DraftToken, TokenizedDraft } from "./tokenize-draft.ts";

/**
 * Yields the chunks of a streamed completion: the role of each choice, the tokens of all choices in alternation, their
 * finish reasons, and the usage if it is defined.
 */
export function* buildChunks(
  head: CompletionHead,
  choices: readonly TokenizedDraft[],
  usage: unknown,
): Generator<ChatCompletionChunk> {
  const frame = (index: number, delta: ChatCompletionDelta, finishReason: string | null = null) =>
    chunk(head, [{ index, delta, logprobs: null, finish_reason: finishReason }]);
  for (const index of choices.keys()) yield frame(index, { role: "assistant", content: "" });
  const longest = Math.max(...choices.map(({ tokens }) => tokens.length));
  for (let at = 0; at < longest; at += 1) {
    for (const [index, { tokens }] of choices.entries()) {
      const token = tokens[at];
      if (token !== undefined) yield frame(index, delta(token, tokens[at - 1], index, head.id));
    }
  }
  for (const [index, { finishReason }] of choices.entries()) yield frame(index, {}, finishReason);
  if (usage !== undefined) yield { ...chunk(head, []), usage };
}

function chunk(head: CompletionHead, choices: readonly ChunkChoice[]): ChatCompletionChunk {
  return { ...head, object: "chat.completion.chunk", choices };
}

function delta(token: DraftToken, before: DraftToken | undefined, choice: number, id: string): ChatCompletionDelta {
  if (token.part !== "call") return { [token.part === "content" ? "content" : "reasoning_content"]: token.text };
  const { call, name, text } = token;
  const isFirst = before?.part !== "call" || before.call !== call;
  if (!isFirst) return { tool_calls: [{ index: call, function: { arguments: text } }] };
  const fn = { name, arguments: text };
  return { tool_calls: [{ index: call, id: callId(id, choice, call), type: "function", function: fn }] };
}
