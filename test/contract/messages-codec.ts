import type { ScriptedAnswer, ScriptedFailure, ScriptedToolCall, UpstreamCodec } from "@tollgate/contract";

/** The codec of Anthropic's Messages API. */
export const messagesCodec: UpstreamCodec = {
  asksForStream: ({ body }) => JSON.parse(body).stream === true,
  completion: (answer) =>
    JSON.stringify({
      ...message,
      content: [...answer.pieces.map(textBlock), ...answer.toolCalls.map(callBlock)],
      stop_reason: stopReasons[answer.finish],
      usage: { ...usage(answer), output_tokens: answer.completionTokens },
    }),
  events: (answer) => [
    event({ type: "message_start", message: { ...message, content: [], usage: usage(answer) } }),
    event({ type: "ping" }),
    ...textEvents(answer.pieces),
    ...answer.toolCalls.flatMap((call, position) => callEvents(call, position + 1)),
    event({
      type: "message_delta",
      delta: { stop_reason: stopReasons[answer.finish], stop_sequence: null },
      usage: { output_tokens: answer.completionTokens },
    }),
    event({ type: "message_stop" }),
  ],
  failure: (failure) => JSON.stringify(errorOf(failure)),
  failureEvent: (failure) => event(errorOf(failure)),
};

const event = (value: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

const message = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "up-model-7",
  stop_reason: null,
  stop_sequence: null,
};

const stopReasons = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" };

const usage = ({ promptTokens }: ScriptedAnswer) => ({
  input_tokens: promptTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 1,
});

const textBlock = (text: string) => ({ type: "text", text });

const callBlock = ({ id, name, argumentPieces }: ScriptedToolCall) => ({
  type: "tool_use",
  id,
  name,
  input: JSON.parse(argumentPieces.join("")),
});

function textEvents(pieces: readonly string[]): string[] {
  if (pieces.length === 0) return [];
  return blockEvents(
    0,
    textBlock(""),
    pieces.map((text) => ({ type: "text_delta", text })),
  );
}

const callEvents = ({ id, name, argumentPieces }: ScriptedToolCall, index: number): string[] =>
  blockEvents(
    index,
    { type: "tool_use", id, name, input: {} },
    argumentPieces.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  );

const blockEvents = (index: number, block: object, deltas: readonly object[]): string[] => [
  event({ type: "content_block_start", index, content_block: block }),
  ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
  event({ type: "content_block_stop", index }),
];

const errorOf = ({ status, about, message: said }: ScriptedFailure) => ({
  type: "error",
  error: {
    type: errorTypes.get(status) ?? "api_error",
    message: about === "context_length" ? `prompt is too long: 210000 tokens > 200000 maximum. ${said}` : said,
  },
  request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
});

const errorTypes: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);
