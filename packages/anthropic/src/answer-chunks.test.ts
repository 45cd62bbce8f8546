import { fromReadableStream, ProviderError } from "@tollgate/core/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedStream } from "../test-support/recorded.ts";
import { streamedChunks } from "./answer-chunks.ts";

const context = () => ({ provider: "anthropic" });

/** Returns the chunks of a stream that arrives in these pieces, and the error it failed with. */
async function chunksOf(...pieces: readonly Uint8Array[]): Promise<{ chunks: unknown[]; failure?: unknown }> {
  const stream = fromReadableStream(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    }),
  );
  const chunks: unknown[] = [];
  try {
    for await (const chunk of streamedChunks(stream, context)) chunks.push(chunk);
  } catch (failure) {
    return { chunks, failure };
  }
  return { chunks };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const recorded = (name: string) => chunksOf(bytes(recordedStream(name)));

const head = { id: "msg_01XFDUDYJgAACzvnptvVoYEL", model: "claude-opus-5-5", object: "chat.completion.chunk" };
const delta = (members: object) => ({ ...head, choices: [{ index: 0, delta: members, finish_reason: null }] });
const finish = (reason: string, members: object = {}) => ({
  ...head,
  choices: [{ index: 0, delta: members, finish_reason: reason }],
});
const usage = (prompt: number, completion: number, cached = 0, written = 0) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: {
    cached_tokens: cached,
    cache_write_tokens: written,
    ...(written > 0 ? { cache_write_1h_tokens: 0 } : {}),
  },
});
const usageChunk = (counts: object) => ({ ...head, choices: [], usage: counts });
const start = delta({ role: "assistant", content: null });
const piece = (index: number, text: string) => delta({ tool_calls: [{ index, function: { arguments: text } }] });
const opening = (index: number, id: string, name: string) =>
  delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });

describe("streamedChunks", () => {
  it.each<[string, object[]]>([
    [
      "text",
      [
        start,
        delta({ content: "Hello" }),
        delta({ content: "! Grüezi 👋" }),
        finish("stop"),
        usageChunk(usage(25, 15)),
      ],
    ],
    [
      "tool-use",
      [
        start,
        delta({ content: "Okay, let's check." }),
        opening(0, "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "get_weather"),
        piece(0, '{"location":'),
        piece(0, ' "San'),
        piece(0, ' Francisco, CA"}'),
        opening(1, "toolu_02A", "get_time"),
        piece(1, "{}"),
        finish("tool_calls"),
        usageChunk(usage(472, 89)),
      ],
    ],
    [
      "thinking",
      [
        start,
        delta({ reasoning_content: "27 * 453 " }),
        delta({ reasoning_content: "is 12,231." }),
        delta({ content: "12,231." }),
        finish("stop"),
        usageChunk({ ...usage(25, 120), completion_tokens_details: { reasoning_tokens: 84 } }),
      ],
    ],
    ["cached", [start, delta({ content: "Yes." }), finish("stop"), usageChunk(usage(2_069, 5, 1_800, 248))]],
    ["server-tool", [start, delta({ content: "Found." }), finish("stop"), usageChunk(usage(300, 30))]],
    [
      "refusal",
      [
        start,
        finish("content_filter", { refusal: "This request could enable biological harm." }),
        usageChunk(usage(25, 3)),
      ],
    ],
  ])("maps the recorded stream %s", async (name, expected) => {
    expect(await recorded(name)).toEqual({ chunks: expected });
  });

  it.each<[string, string, object[]]>([
    ["overloaded-at-once", "overloaded", []],
    ["overloaded-after-start", "overloaded", [start]],
    ["failed-after-text", "failed", [start, delta({ content: "Hel" })]],
  ])("throws the error in the recorded stream %s after the chunks before it", async (name, failure, chunks) => {
    expect(await recorded(name)).toEqual({ chunks, failure: expect.objectContaining({ failure }) });
  });

  it("returns the same chunks wherever a stream is split in two", async () => {
    const whole = bytes(recordedStream("tool-use"));
    const { chunks } = await chunksOf(whole);
    for (let at = 1; at < whole.length; at += 1) {
      expect((await chunksOf(whole.slice(0, at), whole.slice(at))).chunks).toEqual(chunks);
    }
  });

  it("returns the same chunks however often a stream is split", async () => {
    const whole = bytes(recordedStream("text"));
    const { chunks } = await chunksOf(whole);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length)), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        expect((await chunksOf(...pieces)).chunks).toEqual(chunks);
      }),
      { numRuns: 50 },
    );
  });

  it("fails on a stream that is cut off before the stop reason, and on no other", async () => {
    const text = recordedStream("thinking");
    const whole = bytes(text);
    const finishedAt = bytes(text.slice(0, text.indexOf("event: message_stop"))).length;
    for (let length = 0; length <= whole.length; length += 1) {
      const { failure } = await chunksOf(whole.slice(0, length));
      if (length >= finishedAt - 2) expect(failure).toBeUndefined();
      else expect(ProviderError.is(failure) && failure.failure).toBe("invalid_response");
    }
  });

  it.each([
    ["an event that is not JSON", "data: {oops\n\n"],
    ["an event that is not an object", "data: 7\n\n"],
    ["HTML", "<html><body>Bad gateway</body></html>"],
    ["an empty stream", ""],
  ])("fails on %s", async (_name, text) => {
    const { failure } = await chunksOf(bytes(text));
    expect(failure).toMatchObject({ failure: "invalid_response" });
  });
});
