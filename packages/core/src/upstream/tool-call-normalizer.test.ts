import { describe, expect, it } from "vitest";
import { ToolCallNormalizer } from "./tool-call-normalizer.ts";

const made = expect.stringMatching(/^call_[0-9a-f]{32}$/);

/** The pieces that a client receives for each of these frames. */
function normalize(...frames: unknown[][]) {
  const normalizer = new ToolCallNormalizer();
  return frames.map((pieces) => normalizer.normalize(pieces));
}

describe("ToolCallNormalizer", () => {
  it("leaves pieces as OpenAI sends them", () => {
    const frames = [
      [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }],
      [{ index: 0, function: { arguments: '{"a"' } }],
      [{ index: 1, id: "call_2", type: "function", function: { name: "g", arguments: "{}" } }],
    ];
    expect(JSON.stringify(normalize(...frames))).toBe(JSON.stringify(frames));
  });

  it("adds an id and a type only to the first piece of a call", () => {
    expect(normalize([{ index: 0, function: { name: "f" } }], [{ index: 0, function: { arguments: "{}" } }])).toEqual([
      [{ index: 0, id: made, type: "function", function: { name: "f" } }],
      [{ index: 0, function: { arguments: "{}" } }],
    ]);
  });

  it.each([[null], [""], [7]])("generates an id in place of %j", (id) => {
    expect(normalize([{ index: 0, id, type: null }])).toEqual([[{ index: 0, id: made, type: "function" }]]);
  });

  it("sets the index by position", () => {
    const [first, second] = normalize(
      [
        { id: "a", function: { name: "f" } },
        { id: "b", function: { name: "g" } },
      ],
      [{ function: { arguments: "1" } }, { function: { arguments: "2" } }],
    );
    expect(first?.map(({ index }) => index)).toEqual([0, 1]);
    expect(second?.map(({ index }) => index)).toEqual([0, 1]);
  });

  it("sets the index of complete calls, one per frame", () => {
    const calls = [{ function: { name: "f", arguments: "{}" } }, { id: "b", function: { name: "g", arguments: "{}" } }];
    expect(normalize(...calls.map((call) => [call])).map(([piece]) => piece?.["index"])).toEqual([0, 1]);
  });

  it("adds a piece without index, id and name to the last call", () => {
    const frames = normalize(
      [{ id: "a", function: { name: "f" } }],
      [{ id: "b" }],
      [{ function: { arguments: "1" } }],
      [{ id: "a" }],
    );
    expect(frames.map(([piece]) => piece?.["index"])).toEqual([0, 1, 1, 0]);
  });

  it("moves a second call at the same index to the next free one, and its pieces with it", () => {
    expect(
      normalize(
        [{ index: 0, id: "a", function: { name: "f" } }],
        [{ index: 0, id: "b", function: { name: "f" } }],
        [{ index: 0, function: { arguments: "{}" } }],
      ).map(([piece]) => piece?.["index"]),
    ).toEqual([0, 1, 1]);
  });

  it("drops an id that changes within a call", () => {
    expect(normalize([{ index: 0, id: "a" }], [{ index: 0, id: "z", function: { arguments: "{}" } }])[1]).toEqual([
      { index: 0, function: { arguments: "{}" } },
    ]);
  });

  it("writes arguments that are an object as text", () => {
    expect(normalize([{ index: 0, id: "a", function: { name: "f", arguments: { a: [1] } } }])).toMatchObject([
      [{ function: { name: "f", arguments: '{"a":[1]}' } }],
    ]);
  });

  it("drops pieces that are not objects", () => {
    expect(normalize([null, 1, "x", []])).toEqual([[]]);
  });

  it("normalizes very many calls in time", () => {
    const pieces = Array.from({ length: 100_000 }, (_, at) => ({ id: `call_${at}` }));
    expect(normalize(pieces)[0]?.at(-1)).toMatchObject({ index: 99_999 });
  });

  it.each([
    ["nothing", [[]]],
    ["an empty text", [[""]]],
    ["null", [["null"]]],
    ["null in pieces", [["nu"], ["ll"]]],
    ["null and a space", [["null "]]],
  ])("closes a call whose arguments are %s with an empty object", (_name, texts) => {
    const normalizer = new ToolCallNormalizer();
    const [first, ...rest] = texts.map(([text]) => (text === undefined ? {} : { arguments: text }));
    const shown = [
      ...normalizer.normalize([{ index: 0, id: "a", function: { name: "f", ...first } }]),
      ...rest.flatMap((called) => normalizer.normalize([{ index: 0, function: called }])),
      ...normalizer.close(),
    ];
    const sent = shown.map((piece) => (piece["function"] as { readonly arguments?: string }).arguments ?? "");
    expect(sent.join("")).toBe("{}");
    expect(normalizer.close()).toEqual([]);
  });

  it("sends arguments on that begin like null, and closes only the calls without any", () => {
    const normalizer = new ToolCallNormalizer();
    const pieces = [
      { index: 0, id: "a", function: { name: "f", arguments: " n" } },
      { index: 1, id: "b", function: { name: "g" } },
      { index: 0, function: { arguments: "o" } },
    ];
    const shown = pieces.map((piece) => normalizer.normalize([piece])[0]?.["function"]);
    expect(shown).toEqual([{ name: "f", arguments: "" }, { name: "g" }, { arguments: " no" }]);
    expect(normalizer.close()).toEqual([{ index: 1, function: { arguments: "{}" } }]);
  });
});
