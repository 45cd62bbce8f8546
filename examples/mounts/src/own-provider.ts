import { type ChatCompletionChunk, type ProviderAdapter, ProviderError } from "@tollgate/core/provider";

/** Answers with the last message in upper case. */
export function shoutingProvider(): ProviderAdapter {
  return {
    name: "shouting",
    capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
    async complete({ request, signal }) {
      signal.throwIfAborted();
      const content = shout(request.messages.at(-1)?.content);
      return { choices: [{ message: { content }, finish_reason: "stop" }], usage: usageOf(content) };
    },
    async stream({ request, signal }) {
      const content = shout(request.messages.at(-1)?.content);
      return { kind: "chunks", chunks: wordByWord(content, signal) };
    },
  };
}

async function* wordByWord(content: string, signal: AbortSignal): AsyncGenerator<ChatCompletionChunk> {
  for (const word of content.split(/(?<= )/)) {
    signal.throwIfAborted();
    yield { choices: [{ delta: { content: word } }] };
  }
  yield { choices: [{ delta: {}, finish_reason: "stop" }], usage: usageOf(content) };
}

function shout(content: unknown): string {
  if (typeof content === "string") return content.toUpperCase();
  throw new ProviderError("rejected", "The last message is not text.", {
    clientMessage: "Send the last message as text.",
  });
}

const usageOf = (content: string) => ({ prompt_tokens: 1, completion_tokens: content.length });
