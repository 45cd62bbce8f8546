import type { ChatCompletionChunk, ChatCompletionDelta, ChunkChoice } from "@tollgate/core/provider";
import { type CompletionHead, callId } from "./completion.ts";
import type { CutDraft, Piece } from "./pieces.ts";

/**
 * The frames of a streamed completion, one token each: the role of every choice, their tokens in turn, their finish
 * reasons, and the usage when it was asked for.
 */
export function* buildChunks(
  head: CompletionHead,
  choices: readonly CutDraft[],
  usage: unknown,
): Generator<ChatCompletionChunk> {
  const frame = (index: number, delta: ChatCompletionDelta, finishReason: string | null = null) =>
    chunk(head, [{ index, delta, logprobs: null, finish_reason: finishReason }]);
  for (const index of choices.keys()) yield frame(index, { role: "assistant", content: "" });
  const longest = Math.max(...choices.map(({ pieces }) => pieces.length));
  for (let at = 0; at < longest; at += 1) {
    for (const [index, { pieces }] of choices.entries()) {
      const piece = pieces[at];
      if (piece !== undefined) yield frame(index, delta(piece, pieces[at - 1], index, head.id));
    }
  }
  for (const [index, { finishReason }] of choices.entries()) yield frame(index, {}, finishReason);
  if (usage !== undefined) yield { ...chunk(head, []), usage };
}

function chunk(head: CompletionHead, choices: readonly ChunkChoice[]): ChatCompletionChunk {
  return { ...head, object: "chat.completion.chunk", choices };
}

function delta(piece: Piece, before: Piece | undefined, choice: number, id: string): ChatCompletionDelta {
  if (piece.part !== "call") return { [piece.part === "content" ? "content" : "reasoning_content"]: piece.text };
  const { call, name, text } = piece;
  const begins = before?.part !== "call" || before.call !== call;
  if (!begins) return { tool_calls: [{ index: call, function: { arguments: text } }] };
  const named = { name, arguments: text };
  return { tool_calls: [{ index: call, id: callId(id, choice, call), type: "function", function: named }] };
}
