import type { ChatCompletion, CompletionChoice } from "./chat-completion.ts";
import type { ChatCompletionChunk } from "./chat-completion-chunk.ts";
import { isJsonObject } from "./json.ts";
import { finishOf } from "./normalize-completion.ts";

/**
 * Converts a completion to the frames of a stream, for an upstream that answered with JSON although a stream was
 * requested. Each choice becomes its message and its finish_reason. The usage, if any, comes last.
 */
export function completionToChunks(completion: ChatCompletion): ChatCompletionChunk[] {
  const { usage, choices, ...rest } = completion;
  const head = { ...rest, object: "chat.completion.chunk" };
  const answers = choices.flatMap((choice, position) =>
    framesOf(choice, position).map((frame) => ({ ...head, choices: [frame] })),
  );
  return usage == null ? answers : [...answers, { ...head, choices: [], usage }];
}

function framesOf({ message, finish_reason, ...rest }: CompletionChoice, position: number) {
  const index = rest.index ?? position;
  const { tool_calls: calls, content, ...others } = message;
  // The members of an upstream's message have not been validated.
  const indexed = Array.isArray(calls) ? calls.map((call, at) => ({ index: at, ...call })) : undefined;
  const delta = {
    role: "assistant",
    ...others,
    ...(content === undefined ? {} : { content: readText(content) }),
    ...(indexed === undefined ? {} : { tool_calls: indexed }),
  };
  const finish = finish_reason ?? finishOf(message);
  return [
    { ...rest, index, delta, finish_reason: null },
    { index, delta: {}, finish_reason: finish },
  ];
}

/** Returns the text of a content, which may be a list of parts with a text each. */
function readText(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return content
    .map((part: unknown) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}
