import type { ScriptedAnswer, ScriptedFailure, UpstreamCodec } from "@tollgate/contract";

/** The codec of the Orator API, which always answers with an event stream. */
export const oratorCodec: UpstreamCodec = {
  asksForStream: () => true,
  completion: (answer) => eventsOf(answer).join(""),
  events: eventsOf,
  failure: ({ status, message, about }) => JSON.stringify({ status, message: messageFor(message, about) }),
  failureEvent: ({ status, message, about }) => event("error", { status, message: messageFor(message, about) }),
};

const reasons = { stop: "done", length: "cut", tool_calls: "tool" };

function eventsOf({ pieces, toolCalls, finish, promptTokens, completionTokens }: ScriptedAnswer): readonly string[] {
  return [
    ...pieces.map((text) => event("text", { text })),
    ...toolCalls.map(({ id, name, argumentPieces }, index) =>
      event("tool", { id, index, tool: name, input: JSON.parse(argumentPieces.join("")) }),
    ),
    event("end", { reason: reasons[finish], inputTokens: promptTokens, outputTokens: completionTokens }),
  ];
}

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const messageFor = (message: string, about: ScriptedFailure["about"]) =>
  about === "context_length" ? `The prompt is too long. ${message}` : message;
