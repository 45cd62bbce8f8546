import type { ScriptedAnswer, ScriptedFailure, ScriptedToolCall, UpstreamCodec } from "@tollgate/contract";

/** The codec of the Gemini API: generateContent, and streamGenerateContent with `alt=sse`. */
export const geminiCodec: UpstreamCodec = {
  asksForStream: ({ url }) => url.endsWith(":streamGenerateContent?alt=sse"),
  completion: (answer) => JSON.stringify(frame(answer, partsOf(answer), true)),
  events: (answer) => [
    ...partsOf(answer).map((part) => event(frame(answer, [part], false))),
    event(frame(answer, [{ text: "" }], true)),
  ],
  failure: (failure) => JSON.stringify({ error: errorOf(failure) }),
  failureEvent: (failure) => event({ error: errorOf(failure) }),
};

const event = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`;

const finishReasons = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP" };

function frame({ finish, promptTokens, completionTokens }: ScriptedAnswer, parts: readonly object[], last: boolean) {
  return {
    candidates: [
      { content: { parts, role: "model" }, ...(last ? { finishReason: finishReasons[finish] } : {}), index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: promptTokens,
      ...(last ? { candidatesTokenCount: completionTokens } : {}),
      totalTokenCount: promptTokens + (last ? completionTokens : 0),
    },
    modelVersion: "up-model-7",
    responseId: "Un6LacrVMcjUxs0PmJfWoQc",
  };
}

const partsOf = ({ pieces, toolCalls }: ScriptedAnswer): readonly object[] => [
  ...pieces.map((text) => ({ text })),
  ...toolCalls.map(callOf),
];

const callOf = ({ id, name, argumentPieces }: ScriptedToolCall) => ({
  functionCall: { id, name, args: JSON.parse(argumentPieces.join("")) },
});

const errorOf = ({ status, about, message }: ScriptedFailure) => ({
  code: status,
  message:
    about === "context_length"
      ? `The input token count (9000) exceeds the maximum number of tokens allowed (8192). ${message}`
      : message,
  status: statusNames.get(status) ?? "UNKNOWN",
});

const statusNames: ReadonlyMap<number, string> = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
]);
