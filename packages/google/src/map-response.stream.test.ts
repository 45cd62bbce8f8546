import { readFileSync } from "node:fs";
import { type ByteSink, type ByteStream, type ChatCompletionChunk, ProviderError } from "@tollgate/core/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFrames } from "./answer-frames.ts";
import { FrameReducer } from "./map-response.ts";

const bytesOf = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/streams/${name}.sse`, import.meta.url)));

const signature = { google: { thought_signature: "CqgBAb4+9vvTestSignatureOfThoughts/With+Base64==" } };

/** A stream that writes all its chunks at once. */
function streamOf(chunks: readonly Uint8Array[]): ByteStream {
  return {
    pipeTo(sink: ByteSink) {
      for (const chunk of chunks) sink.write(chunk);
      sink.close();
    },
    pause: () => undefined,
    resume: () => undefined,
    cancel: () => undefined,
  };
}

async function reduce(chunks: readonly Uint8Array[]): Promise<ChatCompletionChunk[]> {
  const reducer = new FrameReducer();
  const reduced: ChatCompletionChunk[] = [];
  for await (const frame of readFrames(streamOf(chunks), {})) reduced.push(reducer.reduce(frame));
  return reduced;
}

/** The choices of each chunk of a recorded stream. */
const choicesOf = async (name: string) => (await reduce([bytesOf(name)])).map(({ choices }) => choices);

describe("FrameReducer", () => {
  it("maps each text with the usage so far", async () => {
    const head = { id: "Xa2LadqFEsrVjMcPz4Om2AM", model: "gemini-3-flash-preview", object: "chat.completion.chunk" };
    const usage = (completion: number) => ({
      prompt_tokens: 9,
      completion_tokens: completion,
      total_tokens: 9 + completion,
      completion_tokens_details: { reasoning_tokens: 41 },
    });
    expect(await reduce([bytesOf("text")])).toEqual([
      {
        ...head,
        choices: [{ index: 0, delta: { role: "assistant", content: "Bern is the " }, finish_reason: null }],
        usage: usage(44),
      },
      {
        ...head,
        choices: [{ index: 0, delta: { content: "capital of 🇨🇭 — Zürich is not." }, finish_reason: null }],
        usage: usage(55),
      },
      {
        ...head,
        choices: [{ index: 0, delta: { extra_content: signature }, finish_reason: "stop" }],
        usage: usage(55),
      },
    ]);
  });

  it("maps thoughts to reasoning_content", async () => {
    expect(await choicesOf("thoughts")).toEqual([
      [{ index: 0, delta: { role: "assistant", reasoning_content: "**Recalling**\n\n" }, finish_reason: null }],
      [{ index: 0, delta: { reasoning_content: "A capital.\n" }, finish_reason: null }],
      [{ index: 0, delta: { content: "Bern." }, finish_reason: null }],
      [{ index: 0, delta: {}, finish_reason: "stop" }],
    ]);
  });

  it("numbers calls across frames, and ends with tool_calls if the finish reason arrives in a separate frame", async () => {
    expect(await choicesOf("tool-calls")).toEqual([
      [{ index: 0, delta: { role: "assistant", content: "One moment." }, finish_reason: null }],
      [
        {
          index: 0,
          delta: {
            tool_calls: [
              {
                index: 0,
                id: "function-call-6601",
                type: "function",
                function: { name: "get_weather", arguments: '{"city":"Zürich","days":2}' },
                extra_content: signature,
              },
            ],
          },
          finish_reason: null,
        },
      ],
      [
        {
          index: 0,
          delta: {
            tool_calls: [
              {
                index: 1,
                id: "function-call-6602",
                type: "function",
                function: { name: "get_weather", arguments: '{"city":"Bern"}' },
              },
            ],
          },
          finish_reason: null,
        },
      ],
      [{ index: 0, delta: {}, finish_reason: "tool_calls" }],
    ]);
  });

  it("has no usage in chunks whose frame has none", async () => {
    const [first, second] = await reduce([bytesOf("tool-calls")]);
    expect(first).not.toHaveProperty("usage");
    expect(second).toHaveProperty("usage.prompt_tokens", 61);
  });

  it("keeps several candidates apart", async () => {
    expect(await choicesOf("candidates")).toEqual([
      [
        { index: 0, delta: { role: "assistant", content: "One" }, finish_reason: null },
        { index: 1, delta: { role: "assistant", content: "Two, " }, finish_reason: null },
      ],
      [{ index: 0, delta: { content: "." }, finish_reason: "stop" }],
      [{ index: 1, delta: { content: "and then" }, finish_reason: "length" }],
    ]);
  });

  it("ends a blocked prompt and a blocked answer with content_filter", async () => {
    expect(await choicesOf("blocked-prompt")).toEqual([
      [{ index: 0, delta: { role: "assistant" }, finish_reason: "content_filter" }],
    ]);
    expect((await choicesOf("safety-midway")).at(-1)).toEqual([
      { index: 0, delta: {}, finish_reason: "content_filter" },
    ]);
  });

  it("fails on invalid output after text, and adds no choice for prompt feedback", () => {
    const reducer = new FrameReducer();
    reducer.reduce({ candidates: [{ content: { parts: [{ text: "I will look." }] } }] });
    expect(reducer.reduce({ promptFeedback: { blockReason: "OTHER" } }).choices).toEqual([]);
    const invalid = { candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] };
    expect(() => reducer.reduce(invalid)).toThrow("MALFORMED_FUNCTION_CALL");
  });

  it("ignores a [DONE] that a gateway adds to the stream", async () => {
    const done = new TextEncoder().encode("data: [DONE]\n\n");
    expect(await reduce([bytesOf("text"), done])).toEqual(await reduce([bytesOf("text")]));
  });

  it.each([
    ["malformed-call", "failed"],
    ["error-midway", "overloaded"],
    ["error-outside-data", "overloaded"],
  ])("throws for %s", async (name, failure) => {
    const error: unknown = await reduce([bytesOf(name)]).catch((cause: unknown) => cause);
    expect(ProviderError.is(error) && error.failure).toBe(failure);
  });

  it.each(["text", "thoughts", "tool-calls", "candidates"])(
    "returns the same chunks of %s wherever its bytes are split",
    async (name) => {
      const bytes = bytesOf(name);
      const chunksOf = async (pieces: readonly Uint8Array[]) => JSON.stringify(await reduce(pieces));
      const whole = await chunksOf([bytes]);
      const differing: number[] = [];
      for (let at = 0; at <= bytes.length; at += 1) {
        if ((await chunksOf([bytes.subarray(0, at), bytes.subarray(at)])) !== whole) differing.push(at);
      }
      expect(differing).toEqual([]);
      expect(await chunksOf([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(whole);
    },
  );

  it("emits deltas that concatenate to the texts of the parts, wherever the bytes are split", async () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud83c", "$& $1", "__proto__", "\r\n\r\n"));
    const generatedParts = fc.array(fc.record({ text, thought: fc.boolean() }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        generatedParts,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (parts, sizes) => {
          const frames = parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] }));
          const bytes = new TextEncoder().encode(
            frames.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`).join(""),
          );
          const chunks = await reduce(split(bytes, sizes));
          const all = (member: string) => chunks.map(({ choices }) => choices[0]?.delta[member] ?? "").join("");
          const expected = (thought: boolean) =>
            parts.map((part) => (part.thought === thought ? part.text : "")).join("");
          expect([all("content"), all("reasoning_content")]).toEqual([expected(false), expected(true)]);
        },
      ),
    );
  });
});

function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
