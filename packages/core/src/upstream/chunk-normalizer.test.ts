import { describe, expect, it } from "vitest";
import { ChunkNormalizer } from "./chunk-normalizer.ts";

const identity = { model: "public/model", id: "chatcmpl-made", created: 1_700_000_000 };
const normalizer = () => new ChunkNormalizer(identity);
const choice = (delta: unknown, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });

/** The choices that a client gets for each of these frames. */
function choices(...frames: Record<string, unknown>[]) {
  const stream = normalizer();
  return frames.map((frame) => stream.normalize(frame).frame?.["choices"]);
}

describe("ChunkNormalizer", () => {
  it.each([
    ["no index", { delta: { content: "a" } }],
    ["an index that is no number", { index: "1", delta: { content: "a" } }],
    ["no role", { index: 0, delta: { content: "a" } }],
    ["a role that is empty", { index: 0, delta: { role: "", content: "a" } }],
    ["another role", { index: 0, delta: { role: "model", content: "a" } }],
    ["an empty finish_reason", { index: 0, delta: { content: "a" }, finish_reason: "" }],
  ])("normalizes a first frame with %s", (_, given) => {
    expect(choices({ choices: [given] })).toEqual([
      [{ index: 0, delta: { role: "assistant", content: "a" }, finish_reason: null }],
    ]);
  });

  it("has content in a frame besides or after arguments that are held back", () => {
    const stream = normalizer();
    const call = { tool_calls: [{ index: 0, id: "call_1", function: { arguments: " " } }] };
    const isSubstantive = (delta: object) => stream.normalize(choice(delta)).isSubstantive;
    expect([call, { ...call, content: "a" }, { reasoning: "b" }].map(isSubstantive)).toEqual([false, true, true]);
  });

  it("adds the role only to the first frame of each choice", () => {
    const other = { choices: [{ index: 1, delta: { content: "b" } }] };
    expect(choices(choice({ content: "a" }), other, choice({ content: "c" }))).toMatchObject([
      [{ index: 0, delta: { role: "assistant" } }],
      [{ index: 1, delta: { role: "assistant" } }],
      [{ index: 0, delta: { content: "c" } }],
    ]);
  });

  it.each([[null], [undefined], ["text"], [[]]])("takes %j as an empty delta", (delta) => {
    expect(choices(choice({ content: "a" }), choice(delta, { finish_reason: "stop" }))[1]).toEqual([
      { index: 0, delta: {}, finish_reason: "stop" },
    ]);
  });

  it("forwards one finish_reason per choice, and keeps text after it", () => {
    const stop = choice({}, { finish_reason: "stop" });
    expect(
      choices(choice({ content: "a" }), stop, stop, choice({ content: "b" }, { finish_reason: "stop" })).slice(1),
    ).toEqual([
      [{ index: 0, delta: {}, finish_reason: "stop" }],
      undefined,
      [{ index: 0, delta: { content: "b" }, finish_reason: null }],
    ]);
  });

  it("keeps other members of a choice with a repeated finish_reason", () => {
    const stop = choice({}, { finish_reason: "stop" });
    const filtered = choice({}, { finish_reason: "stop", content_filter_results: { hate: { filtered: false } } });
    expect(choices(stop, filtered)[1]).toMatchObject([{ finish_reason: null, content_filter_results: {} }]);
  });

  it("keeps unlisted members of the frame, the choice and the delta, in their order", () => {
    const frame = { id: "1", object: "x", created: 5, model: "m", service_tier: "default", choices: [] as unknown[] };
    frame.choices = [
      { index: 0, delta: { role: "assistant", audio: { id: "a" } }, logprobs: null, finish_reason: null },
    ];
    expect(JSON.stringify(normalizer().normalize(frame).frame)).toBe(
      '{"id":"1","object":"chat.completion.chunk","created":5,"model":"public/model","service_tier":"default",' +
        '"choices":[{"index":0,"delta":{"role":"assistant","audio":{"id":"a"}},"logprobs":null,"finish_reason":null}]}',
    );
  });

  it("does not change its input", () => {
    const frame = choice({ tool_calls: [{ function: { arguments: { a: 1 } } }] });
    const copy = structuredClone(frame);
    normalizer().normalize(frame);
    expect(frame).toEqual(copy);
  });

  it.each([[{}], [{ choices: null }], [{ choices: {} }], [{ choices: [] }], [{ choices: [null, "x", []] }]])(
    "has nothing for the client in %j",
    (frame) => {
      const stream = normalizer();
      expect(stream.normalize({ id: "early", ...frame })).toEqual({
        frame: undefined,
        textBytes: 0,
        isSubstantive: false,
      });
      expect(stream.identity).toEqual(identity);
    },
  );

  it("counts the output in bytes of UTF-8", () => {
    const called = { name: "f", arguments: '{"é":1}' };
    const delta = {
      content: "日本🦊",
      reasoning_content: "ab",
      reasoning: "c",
      refusal: "d",
      tool_calls: [{ function: called }],
    };
    expect(normalizer().normalize(choice(delta)).textBytes).toBe(6 + 4 + 2 + 1 + 1 + 1 + 8);
  });

  it.each([
    [{ role: "assistant" }, false],
    [{ role: "assistant", content: "", refusal: null, tool_calls: [] }, false],
    [{ content: "a" }, true],
    [{ tool_calls: [{ index: 0 }] }, true],
    [{ reasoning_details: [{ data: "x" }] }, true],
  ])("reports whether %j has content or a finish_reason", (delta, answers) => {
    expect(normalizer().normalize(choice(delta)).isSubstantive).toBe(answers);
  });

  it("returns each missing finish_reason once, in a separate frame per choice", () => {
    const stream = normalizer();
    stream.normalize({
      id: "1",
      created: 5,
      choices: [{ delta: { content: "a" } }, { delta: { tool_calls: [{}] } }, { delta: {}, finish_reason: "length" }],
    });
    expect(stream.finished).toBe(false);
    const head = { id: "1", object: "chat.completion.chunk", created: 5, model: "public/model" };
    expect(stream.finish()).toEqual([
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      {
        ...head,
        choices: [
          {
            index: 1,
            delta: { tool_calls: [{ index: 0, function: { arguments: "{}" } }] },
            finish_reason: "tool_calls",
          },
        ],
      },
    ]);
    expect(stream.finish()).toEqual([]);
    expect(stream.finished).toBe(true);
  });

  it("ends a legacy function call with function_call", () => {
    const stream = normalizer();
    stream.normalize(choice({ function_call: { name: "f", arguments: "{}" } }));
    expect(stream.finish()).toMatchObject([{ choices: [{ index: 0, delta: {}, finish_reason: "function_call" }] }]);
  });

  it("gives calls without arguments an empty object, with the finish_reason", () => {
    const call = choice({
      tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }],
    });
    const end = choice({}, { finish_reason: "tool_calls" });
    expect(choices(call, end, end)).toEqual([
      [
        {
          ...call.choices[0],
          delta: { role: "assistant", ...(call.choices[0]?.delta as object) },
          finish_reason: null,
        },
      ],
      [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, function: { arguments: "{}" } }] },
          finish_reason: "tool_calls",
        },
      ],
      undefined,
    ]);
  });

  // https://docs.mistral.ai/capabilities/reasoning and https://docs.databricks.com/aws/en/machine-learning/model-serving/query-reason-models
  it.each([
    [
      "text parts",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      { content: "ab" },
    ],
    [
      "thoughts of Mistral",
      [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }],
      { content: null, reasoning_content: "Hm." },
    ],
    [
      "reasoning of Databricks",
      [{ type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }],
      { content: null, reasoning_content: "Hm." },
    ],
    [
      "references",
      [
        { type: "text", text: "a" },
        { type: "reference", reference_ids: [1] },
      ],
      { content: "a" },
    ],
    [
      "images",
      [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "u" } },
      ],
      { content: "a", images: [{ type: "image_url", image_url: { url: "u" } }] },
    ],
  ])("takes a content of %s as text, and its thoughts as reasoning", (_name, content, delta) => {
    expect(choices(choice({ role: "assistant", content: "" }), choice({ content }))[1]).toEqual([
      { index: 0, delta, finish_reason: null },
    ]);
  });
});
