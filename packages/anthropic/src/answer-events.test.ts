import { chunksToCompletion } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { recordedAnswer } from "../test-support/recorded.ts";
import { wholeChunks } from "./answer-chunks.ts";
import { wholeEvents } from "./answer-events.ts";

const read = (body: string) => chunksToCompletion(wholeChunks(wholeEvents(body, () => ({}))));

const answer = (finish: string, message: object, usage: object = {}) => ({
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  object: "chat.completion",
  model: "claude-opus-5-5",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: finish }],
  usage: {
    prompt_tokens: 25,
    completion_tokens: 15,
    total_tokens: 40,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    ...usage,
  },
});

describe("an answer that is not streamed", () => {
  it.each<[string, object]>([
    ["text", answer("stop", { content: "Hello! How can I help?" })],
    ["max-tokens", answer("length", { content: "It was the best of" })],
    ["window-exceeded", answer("length", { content: "It was" })],
    ["stop-sequence", answer("stop", { content: "one, two" })],
    ["pause-turn", answer("length", { content: "Searching." })],
    [
      "refusal",
      answer(
        "content_filter",
        { refusal: "This request could enable cyber harm." },
        { completion_tokens: 4, total_tokens: 29 },
      ),
    ],
    [
      "thinking",
      answer(
        "stop",
        { content: "12,231.", reasoning_content: "27 * 453 is 12,231." },
        { completion_tokens: 120, total_tokens: 145, completion_tokens_details: { reasoning_tokens: 84 } },
      ),
    ],
    [
      "cached",
      answer(
        "stop",
        { content: "Yes." },
        {
          prompt_tokens: 2_069,
          total_tokens: 2_084,
          prompt_tokens_details: { cached_tokens: 1_800, cache_write_tokens: 248, cache_write_1h_tokens: 0 },
        },
      ),
    ],
    [
      "tool-use",
      answer(
        "tool_calls",
        {
          content: "Let me look.",
          tool_calls: [
            {
              id: "toolu_01T1x1fJ34qAmk2tNTrN7Up6",
              type: "function",
              function: { name: "get_weather", arguments: '{"location":"Zürich","days":2}' },
            },
            { id: "toolu_02A", type: "function", function: { name: "get_time", arguments: "{}" } },
          ],
        },
        { completion_tokens: 65, total_tokens: 90 },
      ),
    ],
  ])("is mapped: %s", (name, expected) => {
    expect(read(recordedAnswer(name))).toEqual(expected);
  });

  it("has no usage when a count is missing", () => {
    const { usage: _, ...rest } = JSON.parse(recordedAnswer("text"));
    expect(read(JSON.stringify(rest))).not.toHaveProperty("usage");
    expect(read(JSON.stringify({ ...rest, usage: { output_tokens: 3 } }))).not.toHaveProperty("usage");
  });

  it.each([
    ["an error object", '{"type":"error","error":{"type":"overloaded_error","message":"x"}}', "overloaded"],
    ["HTML", "<html></html>", "invalid_response"],
    ["an empty body", " ", "invalid_response"],
    ["truncated JSON", recordedAnswer("text").slice(0, -40), "invalid_response"],
    ["a completion of another API", '{"choices":[]}', "invalid_response"],
  ])("throws for %s", (_name, body, failure) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ failure }));
  });
});
