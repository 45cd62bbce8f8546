import type { ScriptedAnswer, ScriptedFailure, UpstreamCodec } from "@tollgate/contract";

/** The codec of the Orator API, which answers in events alone. */
export const oratorCodec: UpstreamCodec = {
  asksForStream: () => true,
  completion: (answer) => eventsOf(answer).join(""),
  events: eventsOf,
  failure: ({ status, message, about }) => JSON.stringify({ status, message: wordsFor(message, about) }),
  failureEvent: ({ status, message, about }) => event("fault", { status, message: wordsFor(message, about) }),
};

const ends = { stop: "done", length: "full", tool_calls: "called" };

function eventsOf({ pieces, toolCalls, finish, promptTokens, completionTokens }: ScriptedAnswer): readonly string[] {
  return [
    ...pieces.map((text) => event("text", { text })),
    ...toolCalls.map(({ id, name, argumentPieces }, place) =>
      event("call", { id, place, tool: name, input: JSON.parse(argumentPieces.join("")) }),
    ),
    event("end", { end: ends[finish], read: promptTokens, wrote: completionTokens }),
  ];
}

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const wordsFor = (message: string, about: ScriptedFailure["about"]) =>
  about === "context_length" ? `The prompt is too long. ${message}` : message;
