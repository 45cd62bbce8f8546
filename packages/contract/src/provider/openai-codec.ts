import type { UpstreamCodec } from "./upstream-codec.ts";
import type { ScriptedAnswer, ScriptedFailure, ScriptedToolCall } from "./upstream-script.ts";

/** The codec for upstreams that are compatible with OpenAI's Chat Completions API. */
export const openaiCodec: UpstreamCodec = {
  asksForStream: ({ body }) => JSON.parse(body).stream === true,
  completion: (answer) =>
    JSON.stringify({
      ...identity,
      object: "chat.completion",
      choices: [{ index: 0, message: messageOf(answer), finish_reason: answer.finish }],
      usage: usageOf(answer),
    }),
  events: (answer) => [...deltasOf(answer).map(event), finishOf(answer), usageEvent(answer), "data: [DONE]\n\n"],
  failure: (failure) => JSON.stringify({ error: errorOf(failure) }),
  failureEvent: (failure) => write({ error: { ...errorOf(failure), code: failure.status } }),
};

const identity = { id: "chatcmpl-1", created: 1_700_000_000, model: "up-model" };

const write = (frame: object) => `data: ${JSON.stringify(frame)}\n\n`;

const frame = (choices: readonly object[], members: object = {}) =>
  write({ ...identity, object: "chat.completion.chunk", choices, ...members });

const event = (delta: object) => frame([{ index: 0, delta, finish_reason: null }]);

const finishOf = ({ finish }: ScriptedAnswer) => frame([{ index: 0, delta: {}, finish_reason: finish }]);

const usageEvent = (answer: ScriptedAnswer) => frame([], { usage: usageOf(answer) });

function messageOf({ pieces, toolCalls }: ScriptedAnswer): object {
  const calls = toolCalls.map((call) => callOf(call, call.argumentPieces.join("")));
  return {
    role: "assistant",
    content: pieces.length === 0 ? null : pieces.join(""),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function deltasOf({ pieces, toolCalls }: ScriptedAnswer): readonly object[] {
  const texts = pieces.map((content) => ({ content }));
  const calls = toolCalls.flatMap((call, index) => [
    { tool_calls: [{ index, ...callOf(call, "") }] },
    ...call.argumentPieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [{ role: "assistant", content: "" }, ...texts, ...calls];
}

const callOf = ({ id, name }: ScriptedToolCall, args: string) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

const usageOf = ({ promptTokens, completionTokens }: ScriptedAnswer) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

const errorOf = ({ about, message }: ScriptedFailure) =>
  about === "context_length"
    ? { message, type: "invalid_request_error", code: "context_length_exceeded" }
    : { message, type: "error", code: null };
