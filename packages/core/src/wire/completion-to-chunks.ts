import type { ChatCompletion, CompletionChoice } from "./chat-completion.ts";
import type { ChatCompletionChunk } from "./chat-completion-chunk.ts";
import { isJsonObject } from "./json.ts";
import { finishOf } from "./normalize-completion.ts";

/**
 * A completion as the frames of a stream, for an upstream that answered with JSON where a stream was asked for: for
 * each choice its message and then its finish_reason, and at the end the usage when there is any.
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
  // What an upstream sent was not checked this far.
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

/** The text of a message's content, of which a list of parts has one in each. */
function readText(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return content
    .map((part: unknown) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}
