import { deepEqual, equal, ok } from "node:assert/strict";
import type { ChatCompletion, ChatCompletionChunk, ToolCallDelta } from "@tollgate/core/provider";

/** A call of a function, as the provider told it. */
export interface ToldToolCall {
  id: string | undefined;
  name: string;
  arguments: string;
}

/** What a provider answered, whichever way it did. */
export interface ToldAnswer {
  readonly text: string;
  readonly toolCalls: readonly ToldToolCall[];
  readonly finish: string | null | undefined;
  /** Undefined: the counts were not told. */
  readonly tokens: { readonly prompt: unknown; readonly completion: unknown } | undefined;
}

/** Reads a completion of one choice. What the gateway normalizes may be missing. */
export function readCompletion(completion: ChatCompletion): ToldAnswer {
  equal(completion.choices.length, 1, "A completion must have one choice unless the request asks for more.");
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
export async function readChunks(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ToldAnswer> {
  const told = { text: "", toolCalls: new Map<number, ToldToolCall>(), finishes: new Set<string>() };
  let usage: unknown;
  for await (const chunk of chunks) {
    ok(Array.isArray(chunk.choices), "A chunk must have a list of choices, if only an empty one.");
    usage = chunk.usage ?? usage;
    for (const { index = 0, delta, finish_reason: finish } of chunk.choices) {
      equal(index, 0, "Every choice of a request that asks for one must have index 0.");
      told.text += delta.content ?? "";
      for (const piece of delta.tool_calls ?? []) takePiece(told.toolCalls, piece);
      if (typeof finish === "string") told.finishes.add(finish);
    }
  }
  ok(told.finishes.size < 2, "A stream must have one finish_reason.");
  return {
    text: told.text,
    toolCalls: [...told.toolCalls.values()],
    finish: [...told.finishes][0],
    tokens: readTokens(usage),
  };
}

function takePiece(calls: Map<number, ToldToolCall>, piece: ToolCallDelta): void {
  const { index = calls.size } = piece;
  const call = calls.get(index) ?? { id: piece.id, name: "", arguments: "" };
  call.name += piece.function?.name ?? "";
  call.arguments += piece.function?.arguments ?? "";
  calls.set(index, call);
}

function readTokens(usage: unknown): ToldAnswer["tokens"] {
  if (typeof usage !== "object" || usage === null) return undefined;
  return { prompt: Reflect.get(usage, "prompt_tokens"), completion: Reflect.get(usage, "completion_tokens") };
}

/** Checks the tool calls of an answer: their names and arguments in order, and an id of its own for each. */
export function expectToolCalls(told: ToldAnswer, expected: readonly (readonly [name: string, args: unknown])[]): void {
  deepEqual(
    told.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]),
    expected,
  );
  const ids = told.toolCalls.map(({ id }) => id);
  ok(
    ids.every((id) => typeof id === "string" && id !== ""),
    "Every tool call must have an id.",
  );
  equal(new Set(ids).size, ids.length, "Every tool call must have an id of its own.");
  equal(told.finish, "tool_calls");
}
