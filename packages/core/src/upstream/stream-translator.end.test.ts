import { describe, expect, it } from "vitest";
import { delta, event, options, role, stop, translate, upstream } from "../../test-support/translated-stream.ts";
import { StreamTranslator } from "./stream-translator.ts";

describe("StreamTranslator: the end", () => {
  it.each([
    ["[DONE] without a finish_reason", [event(delta({ content: "a" })), "data: [DONE]\n\n"], "stop"],
    [
      "closing usage without a finish_reason",
      [event(delta({ content: "a" })), event({ choices: [], usage: {} })],
      "stop",
    ],
    [
      "tool calls without a finish_reason",
      [event(delta({ tool_calls: [{ function: { name: "f", arguments: "{}" } }] })), "data: [DONE]"],
      "tool_calls",
    ],
  ])("adds the missing finish_reason after %s", (_, pieces, reason) => {
    const { frames, translator } = translate(...pieces);
    expect(frames.at(-1)?.["choices"]).toEqual([{ index: 0, delta: {}, finish_reason: reason }]);
    expect(translator.complete).toBe(true);
  });

  it("is complete after a finish_reason without [DONE], even with a truncated frame after it", () => {
    expect(translate(event(role), event(stop)).translator.complete).toBe(true);
    expect(translate(event(role), event(stop), 'data: {"usage":{"pro').translator.failure).toBeUndefined();
  });

  it.each([
    ["nothing at all", []],
    ["a role alone", [event(role)]],
    ["content without an end", [event(role), event(delta({ content: "a" }))]],
    [
      "usage in each frame and no end",
      [event({ ...delta({ content: "a" }), usage: { prompt_tokens: 1, completion_tokens: 1 } })],
    ],
    [
      "usage and then more content",
      [
        event(delta({ content: "a" })),
        event({ choices: [], usage: {} }),
        event(delta({ content: "b" })),
        event({ choices: [], usage: {} }),
        event(delta({ content: "c" })),
      ],
    ],
    ["one of two choices open", [event(delta({ content: "a" }, { index: 1 })), event(stop)]],
    ["half a frame", [event(role), 'data: {"choices":[{"del']],
    ["[DONE] without an answer", ["data: [DONE]\n\n"]],
    ["a page of HTML", ["<html>\n<body>Bad gateway</body>\n</html>\n\n"]],
    ["a frame that is not JSON", [event(role), "data: oops\n\n", event(stop), "data: [DONE]\n\n"]],
  ])("fails after %s", (_, pieces) => {
    const { translator } = translate(...pieces);
    expect(translator.failure?.failure).toBe("invalid_response");
    expect(translator.complete).toBe(false);
  });

  it.each([
    ["an error member", event({ error: { message: "slow down", code: 429 } }), "overloaded"],
    ["a text as error", event({ error: "The server had an error" }), "failed"],
    [
      "an error in a frame of the usual shape",
      event({ ...delta({}, { finish_reason: "error" }), error: { code: 502 } }),
      "failed",
    ],
    [
      "an event named error",
      'event: error\ndata: {"message":"Overloaded","type":"overloaded_error"}\n\n',
      "overloaded",
    ],
    ["an event named error without JSON", "event: error\ndata: boom\n\n", "failed"],
    ["an error outside of all data", '{\n  "error": {\n    "code": 429\n  }\n}\n\n', "overloaded"],
    ["a list with an error", event([{ error: { code: 400, message: "bad", status: "INVALID_ARGUMENT" } }]), "rejected"],
  ])("fails at %s, and keeps the frames before it", (_, frame, failure) => {
    const { translator, frames } = translate(event(role) + event(delta({ content: "a" })) + frame + event(stop));
    expect(translator.failure?.failure).toBe(failure);
    expect(frames).toHaveLength(2);
  });

  it("is no failure when error is null", () => {
    expect(translate(event({ ...role, error: null }), event(stop)).translator.failure).toBeUndefined();
  });

  it("fails at a frame that is nested too deeply to be serialized", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const { translator } = translate(`data: {"x":${deep},"choices":[{"delta":{"content":"a"}}]}\n\n`);
    expect(translator.failure?.failure).toBe("invalid_response");
  });

  it("starts at the first content, reasoning, tool call or finish", () => {
    for (const given of [{ content: "a" }, { reasoning: "a" }, { refusal: "a" }, { tool_calls: [{ index: 0 }] }]) {
      const translator = new StreamTranslator(options);
      translator.translateChunk(delta({ role: "assistant", content: "" }));
      expect(translator.started).toBe(false);
      translator.translateChunk(delta(given));
      expect(translator.started).toBe(true);
    }
    expect(translate(event(stop)).translator.started).toBe(true);
  });
});

describe("StreamTranslator: usage", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

  it.each([
    ["a frame of its own", [event(stop), event({ ...upstream, choices: [], usage })], 1],
    ["a frame without choices", [event(stop), event({ usage })], 1],
    ["the last content frame", [event({ ...stop, usage })], 1],
    ["each frame", [event({ ...role, usage: { ...usage, completion_tokens: 1 } }), event({ ...stop, usage })], 2],
    ["x_groq", [event({ ...stop, x_groq: { id: "req", usage } })], 1],
    ["a choice", [event(delta({}, { finish_reason: "stop", usage }))], 1],
    [
      "a frame before an absurd one",
      [event({ ...stop, usage }), event({ choices: [], usage: { prompt_tokens: -5 } })],
      1,
    ],
  ])("is taken from %s and passed on in none", (_, pieces, count) => {
    const { translator, frames, text } = translate(...pieces, "data: [DONE]\n\n");
    expect(translator.usage).toEqual(usage);
    expect(frames).toHaveLength(count);
    expect(text).not.toContain("usage");
  });
});

describe("StreamTranslator: usage of frames in a known shape", () => {
  it("is the last one", () => {
    const frame = (tokens: number) =>
      event({ ...delta({ content: "a" }), usage: { prompt_tokens: 1, completion_tokens: tokens } });
    expect(translate(frame(1), frame(1), frame(2), frame(1)).translator.usage?.completion_tokens).toBe(1);
  });
});
