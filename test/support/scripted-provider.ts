import type {
  ByteStream,
  ChatCompletion,
  ChatCompletionChunk,
  ProviderAdapter,
  ProviderCall,
  ProviderCapabilities,
} from "@tollgate/core/provider";

/** The behavior of a scripted provider. A call of an absent function fails the test. */
export interface Script {
  readonly complete?: (call: ProviderCall) => Promise<ChatCompletion>;
  readonly stream?: (call: ProviderCall) => AsyncIterable<ChatCompletionChunk>;
  /** Returns the chunks of `stream` as bytes of the upstream. */
  readonly asBytes?: boolean;
  readonly capabilities?: Partial<ProviderCapabilities>;
}

/** A provider with scripted behavior that records its calls. */
export interface ScriptedProvider extends ProviderAdapter {
  readonly calls: ProviderCall[];
  script: Script;
}

/** Creates a provider adapter whose script a test can change at any time. */
export function scriptedProvider(script: Script = {}): ScriptedProvider {
  const calls: ProviderCall[] = [];
  return {
    name: "scripted",
    calls,
    script,
    get capabilities() {
      return {
        streamUsage: true,
        outputCapField: "max_completion_tokens",
        pricedFields: [],
        cancel: "stops",
        ...this.script.capabilities,
      } as const;
    },
    async complete(call) {
      calls.push(call);
      if (this.script.complete === undefined) throw new Error("The script has no `complete`.");
      return this.script.complete(call);
    },
    async stream(call) {
      calls.push(call);
      if (this.script.stream === undefined) throw new Error("The script has no `stream`.");
      const chunks = this.script.stream(call);
      return this.script.asBytes === true ? { kind: "bytes", bytes: asBytes(chunks) } : { kind: "chunks", chunks };
    },
  };
}

function asBytes(chunks: AsyncIterable<ChatCompletionChunk>): ByteStream {
  let canceled = false;
  return {
    async pipeTo(sink) {
      try {
        for await (const chunk of chunks) sink.write(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
        if (!canceled) sink.close();
      } catch (cause) {
        if (!canceled) sink.fail(cause);
      }
    },
    pause: () => undefined,
    resume: () => undefined,
    cancel() {
      canceled = true;
    },
  };
}

/** A completion with one choice. */
export const completionOf = (content: string, usage?: unknown): ChatCompletion => ({
  id: "chatcmpl-upstream",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "upstream-model",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

/** Yields the chunks of one choice, one for each word, followed by the usage. */
export async function* chunksOf(words: readonly string[], usage?: unknown): AsyncGenerator<ChatCompletionChunk> {
  const head = {
    id: "chatcmpl-upstream",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "upstream-model",
  };
  yield { ...head, choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] };
  for (const content of words) yield { ...head, choices: [{ index: 0, delta: { content }, finish_reason: null }] };
  yield { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  yield {
    ...head,
    choices: [],
    usage: usage ?? { prompt_tokens: 10, completion_tokens: words.length, total_tokens: 10 + words.length },
  };
}
