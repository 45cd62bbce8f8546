import type { ChatCompletionChunk, ProviderAdapter, ProviderCall } from "@tollgate/core/provider";

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

/** Answers with the last message and the process id, so that the example needs no upstream. Every answer counts as 20 tokens. */
export function echoProvider(): ProviderAdapter {
  return {
    name: "echo",
    capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
    async complete(call) {
      await pause(20);
      return { choices: [{ message: { role: "assistant", content: answerTo(call) }, finish_reason: "stop" }], usage };
    },
    async stream(call) {
      return { kind: "chunks", chunks: wordByWord(answerTo(call), call.signal) };
    },
  };
}

async function* wordByWord(text: string, signal: AbortSignal): AsyncGenerator<ChatCompletionChunk> {
  for (const word of text.split(/(?<= )/)) {
    await pause(20);
    signal.throwIfAborted();
    yield { choices: [{ delta: { content: word } }] };
  }
  yield { choices: [{ delta: {}, finish_reason: "stop" }], usage };
}

function answerTo({ request }: ProviderCall): string {
  return `Process ${process.pid} received: ${String(request.messages.at(-1)?.content)}`;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
