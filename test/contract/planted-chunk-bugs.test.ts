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

/** Each mistake of a provider of parsed chunks, what it does with them, and the case that must notice it. */
const mistakes: Record<string, readonly [change: (chunks: Chunks) => Chunks, noticedBy: string]> = {
  "ends well what was aborted": [
    async function* (chunks) {
      try {
        yield* chunks;
      } catch (cause) {
        if (ProviderError.is(cause)) throw cause;
      }
    },
    "a piece of text arrives before the next one is sent, and an abort after it ends the stream",
  ],
  "throws what its parser throws": [
    async function* (chunks) {
      try {
        yield* chunks;
      } catch (cause) {
        throw ProviderError.is(cause) && cause.failure === "invalid_response" ? new SyntaxError("no JSON") : cause;
      }
    },
    "a stream with an event that is broken is invalid_response, and asked once",
  ],
  "finishes twice": [
    async function* (chunks) {
      yield* chunks;
      yield { choices: [{ delta: {}, finish_reason: "done" }] };
    },
    "a stream has a text and a finish",
  ],
  "gives all tool calls one index": [
    (chunks) => withCalls(chunks, (call) => ({ ...call, index: 0 })),
    "several tool calls in one answer stay apart, after a text",
  ],
  "gives all tool calls one id": [
    (chunks) => withCalls(chunks, (call) => ({ ...call, id: "call" })),
    "several tool calls in one answer stay apart, after a text",
  ],
  "keeps the usage to itself": [
    async function* (chunks) {
      for await (const { usage: _, ...chunk } of chunks) yield chunk;
    },
    "the usage is the upstream's, in a stream",
  ],
};

describe.concurrent("the suite of providers, over chunks", () => {
  for (const [mistake, [change, noticedBy]] of Object.entries(mistakes)) {
    it(`notices a provider that ${mistake}`, async () => {
      const noticed = await failuresOf((test) =>
        providerContract({
          test: { describe: test.describe, it: (name, body) => name === noticedBy && test.it(name, body) },
          codec: oratorCodec,
          create: ({ origin, apiKey }) => ({ provider: changed(orator({ baseURL: origin, apiKey }), change) }),
        }),
      );
      expect(noticed).toEqual([noticedBy]);
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
