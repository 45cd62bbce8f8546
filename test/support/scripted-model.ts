import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from "@tollgate/core/provider";
import type { Script } from "./scripted-provider.ts";

/** The answer of a model to one call: text, or tool calls with their arguments, or both. */
export interface Saying {
  readonly content?: string;
  readonly calls?: readonly (readonly [name: string, given: object | string])[];
  /** The answer waits for this promise. */
  readonly after?: Promise<unknown>;
}

/** Chooses the answer to a request; `call` counts from 1. */
export type Mind = (request: ChatCompletionRequest, call: number) => Saying;

/** Returns a script that gives these answers, whole or streamed word by word. Each call uses 10 + 5 tokens. */
export function scriptOf(mind: Mind): Script {
  let call = 0;
  return {
    complete: async ({ request }) => {
      const saying = mind(request, ++call);
      await saying.after;
      return toCompletion(saying, call);
    },
    stream: ({ request }) => toChunks(mind(request, ++call), call),
  };
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function toCompletion(saying: Saying, call: number): ChatCompletion {
  const calls = toCalls(saying, call);
  return {
    id: `chatcmpl-upstream-${call}`,
    choices: [
      {
        message: {
          role: "assistant",
          content: saying.content ?? null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage,
  };
}

async function* toChunks(saying: Saying, call: number): AsyncGenerator<ChatCompletionChunk> {
  const head = { id: `chatcmpl-upstream-${call}`, object: "chat.completion.chunk", created: 1_700_000_000 + call };
  const frame = (delta: object, finish_reason: string | null = null): ChatCompletionChunk => ({
    ...head,
    choices: [{ index: 0, delta: { ...delta }, finish_reason }],
  });
  await saying.after;
  yield frame({ role: "assistant", content: "" });
  for (const word of saying.content?.match(/\S+\s*/g) ?? []) yield frame({ content: word });
  const calls = toCalls(saying, call);
  for (const [index, each] of calls.entries()) {
    const { name, arguments: given } = each.function;
    yield frame({ tool_calls: [{ index, id: each.id, type: "function", function: { name, arguments: "" } }] });
    for (const piece of given.match(/[\s\S]{1,7}/g) ?? []) {
      yield frame({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield frame({}, calls.length > 0 ? "tool_calls" : "stop");
  yield { ...head, choices: [], usage };
}

function toCalls({ calls = [] }: Saying, call: number) {
  return calls.map(([name, given], index) => ({
    id: `call_${call}_${index}`,
    type: "function" as const,
    function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
  }));
}
