import type { Draft } from "./draft.ts";
import { splitTokens } from "./tokens.ts";

/** One token of a choice, and the part of the message that it belongs to. */
export type Piece =
  | { readonly part: "reasoning" | "content"; readonly text: string }
  | { readonly part: "call"; readonly call: number; readonly name: string; readonly text: string };

/** One choice, token by token, with the reason why it ends. */
export interface CutDraft {
  readonly pieces: readonly Piece[];
  readonly finishReason: "stop" | "length" | "tool_calls";
}

/** Cuts a draft into tokens, at most `cap` of them; reasoning counts as well. */
export function cutDraft(draft: Draft, cap = Infinity): CutDraft {
  const pieces = [
    ...splitTokens(draft.reasoning ?? "").map((text): Piece => ({ part: "reasoning", text })),
    ...splitTokens(draft.content ?? "").map((text): Piece => ({ part: "content", text })),
    ...draft.calls.flatMap(({ name, arguments: json }, call) =>
      splitTokens(json).map((text): Piece => ({ part: "call", call, name, text })),
    ),
  ];
  if (pieces.length > cap) return { pieces: pieces.slice(0, cap), finishReason: "length" };
  return { pieces, finishReason: draft.calls.length > 0 ? "tool_calls" : "stop" };
}
