import type { ChatCompletion, CompletionChoice } from "./chat-completion.ts";
import type { ChatCompletionChunk } from "./chat-completion-chunk.ts";
import { withTextContent } from "./message-texts.ts";
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
  const { tool_calls: calls, ...others } = withTextContent(message);
  // The members of an upstream's message have not been validated.
  const indexed = Array.isArray(calls) ? calls.map((call, at) => ({ index: at, ...call })) : undefined;
  const delta = {
    role: "assistant",
    ...others,
    ...(indexed === undefined ? {} : { tool_calls: indexed }),
  };
  const finish = finish_reason ?? finishOf(message);
  return [
    { ...rest, index, delta, finish_reason: null },
    { index, delta: {}, finish_reason: finish },
  ];
}
