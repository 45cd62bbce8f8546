import { afterEach, describe, expect, it, vi } from "vitest";
import { delta, envelope, event, options, role, stop, translate } from "../../test-support/translated-stream.ts";
import { decodeFrames } from "./frames.ts";
import { StreamTranslator } from "./stream-translator.ts";

const deltas = (frames: readonly Record<string, unknown>[]) =>
  frames.map((frame) => (frame["choices"] as { delta: unknown }[])[0]?.delta);

afterEach(() => vi.restoreAllMocks());

describe("StreamTranslator: frames for the client", () => {
  it("puts the public model id into every frame and leaves the rest as it was", () => {
    const { frames } = translate(event(role) + event(delta({ content: "a" })) + event(stop), "data: [DONE]\n\n");
    expect(frames).toEqual([role, delta({ content: "a" }), stop].map((frame) => ({ ...frame, ...envelope })));
  });

  it.each([
    ["content", (text: string) => delta({ content: text })],
    ["reasoning", (text: string) => delta({ content: null, reasoning_content: text })],
    ["arguments", (text: string) => delta({ tool_calls: [{ index: 0, function: { arguments: text } }] })],
    ["a choice with usage null", (text: string) => ({ ...delta({ content: text }), usage: null })],
    [
      "pieces that repeat their id",
      (text: string) => delta({ tool_calls: [{ index: 0, id: "call_1", function: { arguments: text } }] }),
    ],
    ["OpenAI's obfuscation", (text: string) => ({ ...delta({ content: text }), obfuscation: `${text}x` })],
  ])("parses no frame of %s after the first", (_, frame) => {
    const translator = new StreamTranslator(options);
    const begin = { tool_calls: [{ index: 0, id: "call_1", function: { name: "f", arguments: "" } }] };
    translator.translate(new TextEncoder().encode(event(delta(begin)) + event(frame("first"))));
    const parse = vi.spyOn(JSON, "parse");
    const chunk = new TextEncoder().encode(event(frame(" second")) + event(frame('日本 "\n')));
    const output = [translator.translate(chunk.subarray(0, 300)), translator.translate(chunk.subarray(300))];
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    const frames = output.flatMap((bytes) => decodeFrames(bytes ?? new Uint8Array()));
    const expected = [frame(" second"), frame('日本 "\n')].map((one) =>
      JSON.parse(JSON.stringify(one, (name, value) => (name === "usage" ? undefined : value))),
    );
    expect(frames).toEqual(expected.map((one) => ({ ...one, ...envelope })));
    expect(translator.frames).toBe(4);
    expect(translator.outputBytes).toBe(1 + 5 + 7 + 9);
  });

  it("parses no frame of a stream with CRLF after the first", () => {
    const spelt = (text: string) => new TextEncoder().encode(event(delta({ content: text })).replaceAll("\n", "\r\n"));
    const translator = new StreamTranslator(options);
    translator.translate(new Uint8Array([...spelt("a"), ...spelt("b")]));
    const parse = vi.spyOn(JSON, "parse");
    const output = translator.translate(new Uint8Array([...spelt("c"), ...spelt("d")]));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(deltas(decodeFrames(output ?? new Uint8Array()))).toEqual([{ content: "c" }, { content: "d" }]);
  });

  it("returns matched frames before one that is normalized", () => {
    const own = (frame: object) => ({ ...frame, model: "public/model" });
    const texts = ["b", "c"].map((content) => event(own(delta({ content })))).join("");
    const { frames } = translate(event(own(role)) + event(own(delta({ content: "a" }))), texts + event(stop));
    expect(deltas(frames).slice(1)).toEqual([{ content: "a" }, { content: "b" }, { content: "c" }, {}]);
  });

  it("assigns pieces to the new call when an upstream begins one at an index in use", () => {
    const piece = (more: object) => event(delta({ tool_calls: [{ index: 0, ...more }] }));
    const more = piece({ function: { arguments: "x" } });
    const { frames } = translate(
      piece({ id: "a", function: { name: "f" } }) + more + more,
      piece({ id: "b", function: { name: "f" } }) + more,
    );
    const indexes = deltas(frames).map((one) => (one as { tool_calls: { index: number }[] }).tool_calls[0]?.index);
    expect(indexes).toEqual([0, 0, 0, 1, 1]);
  });

  it.each([
    ["an escape that JSON does not know", "\\x"],
    ["a control character", "\u0001"],
    ["half an escape", "\\u12"],
  ])("does not let %s through a template", (_, inside) => {
    const good = event(role) + event(delta({ content: "one" })) + event(delta({ content: "two" }));
    const { translator } = translate(good + event(delta({ content: "MARK" })).replace("MARK", inside));
    expect(translator.failure?.failure).toBe("invalid_response");
  });

  it("replaces malformed UTF-8 in a text, in a known shape too", () => {
    const bytes = new TextEncoder().encode(
      event(role) + event(delta({ content: "one" })) + event(delta({ content: "~" })),
    );
    const broken = bytes.map((byte) => (byte === 0x7e ? 0xff : byte));
    const { frames } = translate(broken, event(stop));
    const output = new StreamTranslator(options).translate(broken);
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(output)).not.toThrow();
    expect(deltas(frames)[2]).toEqual({ content: "\ufffd" });
  });

  it("keeps one id and one time, and generates them if the first frame has none", () => {
    const bare = { choices: [{ index: 0, delta: { content: "a" } }] };
    const { frames, translator } = translate(
      event({ ...bare, id: "", created: 0 }) + event({ ...bare, id: "2", created: 9 }),
    );
    expect(frames.map(({ id, created }) => [id, created])).toEqual([
      ["chatcmpl-made", 1_700_000_000],
      ["chatcmpl-made", 1_700_000_000],
    ]);
    expect(translator.identity).toEqual(options);
  });

  it("drops frames without content, such as Azure's first", () => {
    const azure = { id: "", object: "", created: 0, model: "", choices: [], prompt_filter_results: [{}] };
    const { frames, translator } = translate(event(azure), event({ object: "ping" }), event(role), event(stop));
    expect(frames).toHaveLength(2);
    expect(frames[0]).toMatchObject({ id: "chatcmpl-1" });
    expect(translator.frames).toBe(2);
  });
});

describe("StreamTranslator: spellings", () => {
  const expected = translate(event(role) + event(delta({ content: "é🦊" })) + event(stop), "data: [DONE]\n\n");
  const plain = `${event(role)}${event(delta({ content: "é🦊" }))}${event(stop)}data: [DONE]\n\n`;

  it.each([
    ["CRLF", plain.replaceAll("\n", "\r\n")],
    ["CR", plain.replaceAll("\n", "\r")],
    ["a byte order mark", `\ufeff${plain}`],
    ["comments", `: hello\n\n${plain.replaceAll("\n\n", "\n\n: OPENROUTER PROCESSING\n\n:\n")}`],
    ["event, id and retry lines", plain.replaceAll("data: ", "event: chunk\nid: 7\nretry: 1\ndata: ")],
    ["no space after the colon", plain.replaceAll("data: ", "data:")],
    ["data on several lines", plain.replaceAll(',"choices"', '\ndata:,\ndata: "choices"').replaceAll(",\ndata:,", ",")],
    ["empty data lines between", plain.replaceAll("data: {", "data:\n\ndata: \n\ndata: {")],
    ["no final blank line", plain.slice(0, -1)],
    ["no final newline", plain.slice(0, -2)],
    ["something after [DONE]", `${plain}data: nonsense\n\n${event({ error: "late" })}`],
  ])("reads %s", (_, spelt) => {
    for (const pieces of [[spelt], [...new TextEncoder().encode(spelt)].map((byte) => Uint8Array.of(byte))]) {
      const { text, translator } = translate(...pieces);
      expect(text).toBe(expected.text);
      expect(translator.complete).toBe(true);
      expect(translator.done).toBe(true);
      expect(translator.frames).toBe(expected.translator.frames);
    }
  });

  it("does not count comments and empty frames", () => {
    const { translator } = translate(
      event(role),
      ": keep-alive\n\n",
      "data:\n\n",
      event({ ...role, choices: [] }),
      event(role),
    );
    expect(translator.frames).toBe(1);
    expect(translator.started).toBe(false);
  });
});

describe("StreamTranslator: limits", () => {
  const limited = () => new StreamTranslator({ ...options, maxLineBytes: 1000 });
  const piece = new Uint8Array(100).fill(0x61);

  it("detects a line over the limit before it buffers more than that", () => {
    const translator = limited();
    translator.translate(new TextEncoder().encode("data: "));
    for (let count = 0; count < 9; count += 1) translator.translate(piece);
    expect(translator.failure).toBeUndefined();
    translator.translate(piece);
    expect(translator.failure?.failure).toBe("invalid_response");
  });

  it("detects a whole frame over the limit, and keeps the frames before it", () => {
    const translator = limited();
    const long = event(delta({ content: "a".repeat(1000) }));
    const output = translator.translate(new TextEncoder().encode(event(role) + long));
    expect(decodeFrames(output ?? new Uint8Array())).toHaveLength(1);
    expect(translator.failure?.failure).toBe("invalid_response");
  });

  it("counts a comment as a line, but not after its end", () => {
    const translator = limited();
    for (let count = 0; count < 200; count += 1) translator.translate(new TextEncoder().encode(": keep-alive\n"));
    expect(translator.failure).toBeUndefined();
    translator.translate(new TextEncoder().encode(`: ${"a".repeat(1000)}\n\n`));
    expect(translator.failure?.failure).toBe("invalid_response");
  });

  it("reads a long frame byte by byte in linear time", () => {
    const measure = (length: number) => {
      const translator = new StreamTranslator(options);
      const byte = Uint8Array.of(0x61);
      const begin = performance.now();
      for (let count = 0; count < length; count += 1) translator.translate(byte);
      return performance.now() - begin;
    };
    measure(50_000);
    // With quadratic time, eight times the bytes would take 64 times as long in every measurement.
    const isLinear = () => measure(800_000) < 40 * Math.max(measure(100_000), 5);
    expect(isLinear() || isLinear() || isLinear()).toBe(true);
  });
});
