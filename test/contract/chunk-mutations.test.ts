import { providerContract } from "@tollgate/contract";
import {
  type ChatCompletionChunk,
  gatherCompletion,
  type ProviderAdapter,
  ProviderError,
} from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { orator } from "../../examples/custom-provider/src/orator.ts";
import { oratorCodec } from "../../examples/custom-provider/src/orator-codec.ts";
import { failuresOf } from "./failures.ts";

type Chunks = AsyncIterable<ChatCompletionChunk>;

/** Each mutation of a provider of parsed chunks, the function that applies it, and the case that must detect it. */
const mutations: Record<string, readonly [change: (chunks: Chunks) => Chunks, detectedBy: string]> = {
  "ends an aborted stream normally": [
    async function* (chunks) {
      try {
        yield* chunks;
      } catch (cause) {
        if (ProviderError.is(cause)) throw cause;
      }
    },
    "each piece of text arrives before the next one is sent, and an abort ends the stream",
  ],
  "throws the errors of its parser": [
    async function* (chunks) {
      try {
        yield* chunks;
      } catch (cause) {
        throw ProviderError.is(cause) && cause.failure === "invalid_response" ? new SyntaxError("no JSON") : cause;
      }
    },
    "a stream with an invalid event rejects with invalid_response, without a retry",
  ],
  "finishes twice": [
    async function* (chunks) {
      yield* chunks;
      yield { choices: [{ delta: {}, finish_reason: "done" }] };
    },
    "a stream has a text and a finish reason",
  ],
  "gives all tool calls the same index": [
    (chunks) => withCalls(chunks, (call) => ({ ...call, index: 0 })),
    "several tool calls after a text stay separate",
  ],
  "gives all tool calls the same id": [
    (chunks) => withCalls(chunks, (call) => ({ ...call, id: "call" })),
    "several tool calls after a text stay separate",
  ],
  "drops the usage": [
    async function* (chunks) {
      for await (const { usage: _, ...chunk } of chunks) yield chunk;
    },
    "a stream has the upstream's usage",
  ],
};

describe.concurrent("the provider suite, over chunks", () => {
  for (const [name, [change, detectedBy]] of Object.entries(mutations)) {
    it(`detects a provider that ${name}`, async () => {
      const detected = await failuresOf((test) =>
        providerContract({
          test: { describe: test.describe, it: (name, body) => name === detectedBy && test.it(name, body) },
          codec: oratorCodec,
          create: ({ origin, apiKey }) => ({ provider: changed(orator({ baseURL: origin, apiKey }), change) }),
        }),
      );
      expect(detected).toEqual([detectedBy]);
    }, 60_000);
  }
});

function changed(sound: ProviderAdapter, change: (chunks: Chunks) => Chunks): ProviderAdapter {
  const chunksOf: ProviderAdapter["stream"] = async (call) => {
    const stream = await sound.stream(call);
    return stream.kind === "bytes" ? stream : { kind: "chunks", chunks: change(stream.chunks) };
  };
  return {
    ...sound,
    stream: chunksOf,
    async complete(call) {
      const stream = await chunksOf(call);
      return stream.kind === "bytes" ? sound.complete(call) : gatherCompletion(stream.chunks);
    },
  };
}

type Call = NonNullable<ChatCompletionChunk["choices"][number]["delta"]["tool_calls"]>[number];

async function* withCalls(chunks: Chunks, change: (call: Call) => Call): AsyncGenerator<ChatCompletionChunk> {
  for await (const chunk of chunks) {
    const choices = chunk.choices.map(({ delta, ...choice }) => {
      const { tool_calls: calls, ...rest } = delta;
      return { ...choice, delta: calls === undefined ? rest : { ...rest, tool_calls: calls.map(change) } };
    });
    yield { ...chunk, choices };
  }
}
