import { deepEqual, equal, ok } from "node:assert/strict";
import type { ChatCompletion, ChatCompletionChunk, ToolCallDelta } from "@tollgate/core/provider";

/** A function call, as the provider returned it. */
export interface ReceivedToolCall {
  id: string | undefined;
  name: string;
  arguments: string;
}

/** The answer of a provider, complete or streamed. */
export interface ProviderAnswer {
  readonly text: string;
  readonly toolCalls: readonly ReceivedToolCall[];
  readonly finish: string | null | undefined;
  /** Undefined if the provider reported no usage. */
  readonly tokens: { readonly prompt: unknown; readonly completion: unknown } | undefined;
}

/** Reads a completion of one choice. Members that the gateway normalizes may be absent. */
export function readCompletion(completion: ChatCompletion): ProviderAnswer {
  equal(completion.choices.length, 1, "A completion must have one choice unless the request asks for several.");
  const [choice] = completion.choices;
  const { content, tool_calls: calls = [] } = choice?.message ?? {};
  ok(content === undefined || content === null || typeof content === "string", "`content` must be a string or null.");
  return {
    text: content ?? "",
    toolCalls: calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args })),
    finish: choice?.finish_reason,
    tokens: readTokens(completion.usage),
  };
}

/** Reads a stream of one choice to its end. */
export async function readChunks(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ProviderAnswer> {
  const answer = { text: "", toolCalls: new Map<number, ReceivedToolCall>(), finishes: new Set<string>() };
  let usage: unknown;
  for await (const chunk of chunks) {
    ok(Array.isArray(chunk.choices), "A chunk must have a list of choices, which may be empty.");
    usage = chunk.usage ?? usage;
    for (const { index = 0, delta, finish_reason: finish } of chunk.choices) {
      equal(index, 0, "A choice must have index 0 when the request asks for one choice.");
      answer.text += delta.content ?? "";
      for (const piece of delta.tool_calls ?? []) takePiece(answer.toolCalls, piece);
      if (typeof finish === "string") answer.finishes.add(finish);
    }
  }
  ok(answer.finishes.size < 2, "A stream must have one finish_reason.");
  return {
    text: answer.text,
    toolCalls: [...answer.toolCalls.values()],
    finish: [...answer.finishes][0],
    tokens: readTokens(usage),
  };
}

function takePiece(calls: Map<number, ReceivedToolCall>, piece: ToolCallDelta): void {
  const { index = calls.size } = piece;
  const call = calls.get(index) ?? { id: piece.id, name: "", arguments: "" };
  call.name += piece.function?.name ?? "";
  call.arguments += piece.function?.arguments ?? "";
  calls.set(index, call);
}

function readTokens(usage: unknown): ProviderAnswer["tokens"] {
  if (typeof usage !== "object" || usage === null) return undefined;
  return { prompt: Reflect.get(usage, "prompt_tokens"), completion: Reflect.get(usage, "completion_tokens") };
}

/** Checks the tool calls of an answer: names and arguments in order, and a unique id for each. */
export function expectToolCalls(
  answer: ProviderAnswer,
  expected: readonly (readonly [name: string, args: unknown])[],
): void {
  deepEqual(
    answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]),
    expected,
  );
  const ids = answer.toolCalls.map(({ id }) => id);
  ok(
    ids.every((id) => typeof id === "string" && id !== ""),
    "Every tool call must have an id.",
  );
  equal(new Set(ids).size, ids.length, "Every tool call must have a unique id.");
  equal(answer.finish, "tool_calls");
}
