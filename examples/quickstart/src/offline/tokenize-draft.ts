import type { Draft } from "./draft.ts";
import { splitTokens } from "./tokens.ts";

/** One token of a choice, and the part of the message that it belongs to. */
export type DraftToken =
  | { readonly part: "reasoning" | "content"; readonly text: string }
  | { readonly part: "call"; readonly call: number; readonly name: string; readonly text: string };

/** The tokens of one choice and its finish reason. */
export interface TokenizedDraft {
  readonly tokens: readonly DraftToken[];
  readonly finishReason: "stop" | "length" | "tool_calls";
}

/** Splits a draft into at most `cap` tokens. Reasoning tokens count towards the cap. */
export function tokenizeDraft(draft: Draft, cap = Infinity): TokenizedDraft {
  const tokens = [
    ...splitTokens(draft.reasoning ?? "").map((text): DraftToken => ({ part: "reasoning", text })),
    ...splitTokens(draft.content ?? "").map((text): DraftToken => ({ part: "content", text })),
    ...draft.calls.flatMap(({ name, arguments: json }, call) =>
      splitTokens(json).map((text): DraftToken => ({ part: "call", call, name, text })),
    ),
  ];
  if (tokens.length > cap) return { tokens: tokens.slice(0, cap), finishReason: "length" };
  return { tokens, finishReason: draft.calls.length > 0 ? "tool_calls" : "stop" };
}
