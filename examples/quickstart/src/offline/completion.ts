import type { ChatCompletion, CompletionChoice, ToolCall } from "@tollgate/core/provider";
import type { DraftToken, TokenizedDraft } from "./tokenize-draft.ts";

/** The members that a completion and each of its chunks have in common. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
}

/** Builds a completion from its choices. */
export function buildCompletion(
  head: CompletionHead,
  choices: readonly TokenizedDraft[],
  usage: unknown,
): ChatCompletion {
  return {
    ...head,
    object: "chat.completion",
    choices: choices.map((choice, index) => buildChoice(choice, index, head.id)),
    usage,
    system_fingerprint: null,
  };
}

function buildChoice({ tokens, finishReason }: TokenizedDraft, index: number, id: string): CompletionChoice {
  const reasoning = textOf(tokens, "reasoning");
  const calls = buildCalls(tokens, index, id);
  return {
    index,
    message: {
      role: "assistant",
      content: calls.length > 0 ? null : textOf(tokens, "content"),
      refusal: null,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    logprobs: null,
    finish_reason: finishReason,
  };
}

function buildCalls(tokens: readonly DraftToken[], choice: number, id: string): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  for (const token of tokens) {
    if (token.part !== "call") continue;
    const json = (calls[token.call]?.function.arguments ?? "") + token.text;
    calls[token.call] = {
      id: callId(id, choice, token.call),
      type: "function",
      function: { name: token.name, arguments: json },
    };
  }
  return calls;
}

/** Derives the id of a tool call from the completion's id, so that it is the same with and without streaming. */
export const callId = (id: string, choice: number, call: number): string =>
  `call_${id.replaceAll(/\W|chatcmpl/g, "").slice(0, 24)}_${choice}_${call}`;

const textOf = (tokens: readonly DraftToken[], part: DraftToken["part"]): string =>
  tokens
    .filter((token) => token.part === part)
    .map((token) => token.text)
    .join("");
