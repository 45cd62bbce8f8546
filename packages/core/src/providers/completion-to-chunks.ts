import type { ChatCompletion, CompletionChoice } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk, ChunkChoice } from "../wire/chat-completion-chunk.ts";
import { isJsonObject } from "../wire/json.ts";

/** A completion as a stream: one chunk that holds each choice's whole message, then one with the usage if there is any. */
export async function* completionToChunks(completion: ChatCompletion): AsyncGenerator<ChatCompletionChunk> {
  const { choices, usage, ...head } = completion;
  const chunk = { ...head, object: "chat.completion.chunk" };
  yield { ...chunk, choices: choices.map(toChunkChoice) };
  if (usage !== undefined && usage !== null) yield { ...chunk, choices: [], usage };
}

function toChunkChoice({ message, ...choice }: CompletionChoice, position: number): ChunkChoice {
  const { role, content, tool_calls: toolCalls, ...rest } = message;
  const calls = toolCalls?.map((call, index) => ({ ...call, index }));
  const delta = {
    ...rest,
    ...(role === undefined ? {} : { role }),
    content: textOf(content),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
  return { index: position, ...choice, delta };
}

/** Some upstreams give a list of parts where a stream has text only. */
function textOf(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part) => (isJsonObject(part) ? part["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("");
}
