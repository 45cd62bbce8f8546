import type { ChatCompletion, CompletionChoice, ToolCall } from "@tollgate/core/provider";
import type { CutDraft, Piece } from "./pieces.ts";

/** What every frame and the whole completion carry. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
}

/** The completion of some choices. */
export function buildCompletion(head: CompletionHead, choices: readonly CutDraft[], usage: unknown): ChatCompletion {
  return {
    ...head,
    object: "chat.completion",
    choices: choices.map((choice, index) => buildChoice(choice, index, head.id)),
    usage,
    system_fingerprint: null,
  };
}

function buildChoice({ pieces, finishReason }: CutDraft, index: number, id: string): CompletionChoice {
  const reasoning = textOf(pieces, "reasoning");
  const calls = buildCalls(pieces, index, id);
  return {
    index,
    message: {
      role: "assistant",
      content: calls.length > 0 ? null : textOf(pieces, "content"),
      refusal: null,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    logprobs: null,
    finish_reason: finishReason,
  };
}

function buildCalls(pieces: readonly Piece[], choice: number, id: string): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  for (const piece of pieces) {
    if (piece.part !== "call") continue;
    const json = (calls[piece.call]?.function.arguments ?? "") + piece.text;
    calls[piece.call] = {
      id: callId(id, choice, piece.call),
      type: "function",
      function: { name: piece.name, arguments: json },
    };
  }
  return calls;
}

/** The id of a tool call, made of the completion's id and so alike in the stream and in the whole. */
export const callId = (id: string, choice: number, call: number): string =>
  `call_${id.replaceAll(/\W|chatcmpl/g, "").slice(0, 24)}_${choice}_${call}`;

const textOf = (pieces: readonly Piece[], part: Piece["part"]): string =>
  pieces
    .filter((piece) => piece.part === part)
    .map((piece) => piece.text)
    .join("");
