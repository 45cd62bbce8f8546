import { describe, expect, it } from "vitest";
import { type ChatCompletionRequest, readChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { type Prompt, promptOf, promptOfInputs } from "../wire/prompt.ts";
import { estimateTokens, exceedsContextWindow, outputBound, promptBound } from "./cost.ts";

const encoder = new TextEncoder();

function read(body: object): { request: ChatCompletionRequest; prompt: Prompt; bytes: number } {
  const text = JSON.stringify({ model: "m", ...body });
  const result = readChatCompletionRequest(JSON.parse(text));
  if ("problem" in result) throw new Error(`${result.problem.param} ${result.problem.message}`);
  return { request: result.request, prompt: promptOf(result.request.messages), bytes: encoder.encode(text).byteLength };
}

const sizes = { contextWindow: undefined, imageTokens: 0, unknownPartTokens: 200_000 };
const bound = (body: object, model = {}): number => {
  const { prompt, bytes } = read(body);
  return promptBound(prompt, bytes, { ...sizes, ...model });
};
const user = (content: unknown): object => ({ messages: [{ role: "user", content }] });
const image = (url: string): object => ({ type: "image_url", image_url: { url } });

describe("promptBound", () => {
  it("is half the bytes of the body, 8 per message, and 32", () => {
    const { prompt, bytes } = read({ messages: [{ role: "user", content: "a" }, { role: "user" }] });
    expect(promptBound(prompt, bytes, sizes)).toBe(Math.ceil(bytes / 2) + 16 + 32);
  });

  it("counts an image by the model's tokens and not by the bytes of its URL", () => {
    const small = bound(user([image("data:image/png;base64,")]), { imageTokens: 700 });
    const large = bound(user([image(`data:image/png;base64,${"A".repeat(1_000_000)}`)]), { imageTokens: 700 });
    expect(large).toBe(small);
    expect(
      bound(user([image("https://a.example/1"), image("https://a.example/2")]), { imageTokens: 700 }),
    ).toBeGreaterThan(1_400);
  });

  it("is the whole window only for parts of unknown size", () => {
    const sized = { contextWindow: 1_000_000 };
    expect(bound(user([{ type: "hologram" }]), sized)).toBe(1_000_000);
    expect(bound(user("a"), sized)).toBeLessThan(100);
  });

  it("is at most the context window", () => {
    expect(bound(user("a".repeat(10_000)), { contextWindow: 1_000 })).toBe(1_000);
  });

  it.each([
    ["audio", { type: "input_audio", input_audio: { data: "A".repeat(400_000) } }],
    ["a file", { type: "file", file: { file_data: "A".repeat(400_000), filename: "a.pdf" } }],
    ["a file by its id", { type: "file", file: { file_id: "file-1" } }],
    ["a video", { type: "video_url", video_url: { url: "https://a.example/1.mp4" } }],
    ["a part without a type", { image_url: "https://a.example/1.png" }],
    ["a part of a type yet to come", { type: "hologram" }],
  ])("is the whole window for %s, and the text plus 200,000 without a window", (_, part) => {
    const body = user([{ type: "text", text: "a".repeat(1_000) }, part, part]);
    expect(bound(body, { contextWindow: 128_000 })).toBe(128_000);
    expect(bound(body)).toBeGreaterThan(200_500);
    expect(bound(body)).toBeLessThan(201_000);
  });

  it("counts the audio of an earlier answer as such a part, and the text in one in full", () => {
    const body = { messages: [{ role: "assistant", audio: { id: "audio-1" } }] };
    expect(bound(body, { contextWindow: 128_000 })).toBe(128_000);
    expect(bound(user([{ type: "note", note: 1e20, more: [1e20, "aaaa"] }]))).toBeGreaterThan(200_000);
  });

  it("is never negative, even for a body length that is too small", () => {
    const { prompt } = read(user([image("x".repeat(1_000))]));
    expect(promptBound(prompt, 10, { ...sizes, imageTokens: 1 })).toBe(8 + 1 + 32);
  });
});

describe("promptBound of several kinds of content", () => {
  const promptWith = (parts: Partial<Prompt>): Prompt => ({ ...promptOf([{ role: "user", content: "a" }]), ...parts });

  it.each<[what: string, parts: Partial<Prompt>, bodyBytes: number, tokens: number]>([
    ["half the bytes, rounded up", {}, 101, 51 + 8 + 32],
    ["no bytes of images", { images: { count: 2, addressLength: 50 } }, 101, 26 + 8 + 2 * 700 + 32],
    ["no bytes of unknown parts", { unknown: { count: 2, textLength: 51 } }, 101, 25 + 8 + 200_000 + 32],
    ["8 for each message", { messageCount: 3 }, 0, 24 + 32],
  ])("counts %s", (_, parts, bodyBytes, tokens) => {
    expect(promptBound(promptWith(parts), bodyBytes, { ...sizes, imageTokens: 700 })).toBe(tokens);
  });

  it("is the bound of the inputs alone for embeddings", () => {
    const sizesOfInputs = { count: 1, texts: ["a"], textBytes: 1, tokens: 0, check: () => undefined };
    const prompt = promptOfInputs({ ...sizesOfInputs, bound: (contextWindow) => 7 * (contextWindow ?? 0) });
    expect(promptBound(prompt, 1_000, { ...sizes, contextWindow: 100 })).toBe(700);
  });
});

describe("outputBound", () => {
  it.each([
    ["max_tokens", { max_tokens: 5 }, 60, 5, true, false],
    ["max_completion_tokens", { max_completion_tokens: 5 }, 60, 5, true, false],
    ["a cap above the model's maximum", { max_tokens: 100 }, 60, 60, true, true],
    ["one cap above the model's maximum", { max_tokens: 100, max_completion_tokens: 60 }, 60, 60, true, false],
    ["no cap", {}, 60, 60, false, false],
    ["a model without output", {}, 0, 0, true, false],
  ])("is capped as the client sets it, with %s", (_, caps, maxOutputTokens, perChoice, capped, isLowered) => {
    const { request } = read({ ...user("a"), ...caps });
    expect(outputBound(request, { maxOutputTokens })).toEqual({
      choices: 1,
      perChoice,
      total: perChoice,
      capped,
      isLowered,
    });
  });

  it("is n times the lowest of the client's caps and the model's maximum", () => {
    const { request } = read({ ...user("a"), n: 3, max_tokens: 50, max_completion_tokens: 70 });
    expect(outputBound(request, { maxOutputTokens: 60 })).toEqual({
      choices: 3,
      perChoice: 50,
      total: 150,
      capped: true,
      isLowered: false,
    });
  });

  it("is the model's maximum when the client sets no cap", () => {
    const { request } = read({ ...user("a"), max_tokens: null });
    expect(outputBound(request, { maxOutputTokens: 60 })).toEqual({
      choices: 1,
      perChoice: 60,
      total: 60,
      capped: false,
      isLowered: false,
    });
  });
});

const isTooLong = (body: object): boolean => {
  const { prompt, bytes } = read(body);
  return exceedsContextWindow(prompt, bytes, 10);
};

describe("exceedsContextWindow", () => {
  it("is false up to 128 bytes per token and true above", () => {
    expect(isTooLong(user(" ".repeat(1_280)))).toBe(false);
    expect(isTooLong(user(" ".repeat(1_281)))).toBe(true);
  });

  it("is false for a body that is short enough itself", () => expect(isTooLong(user("a"))).toBe(false));

  it("counts no part whose text is absent", () => {
    const content = [
      { type: "text", text: null },
      { type: "text", text: "a" },
    ];
    expect(exceedsContextWindow(promptOf([{ role: "user", content }]), 100_000, 10)).toBe(false);
  });

  it("is false for a longer body whose messages are short enough", () => {
    const { prompt } = read(user("a".repeat(1_280)));
    expect(exceedsContextWindow(prompt, 100_000, 10)).toBe(false);
    expect(exceedsContextWindow(promptOf([{ role: "assistant" }]), 100_000, 10)).toBe(false);
  });

  it("counts no text of parts of another type", () => {
    expect(isTooLong(user([{ type: "note", text: "a".repeat(2_000) }]))).toBe(false);
    expect(
      isTooLong(
        user([
          { type: "note", text: "a".repeat(2_000) },
          { type: "text", text: "a" },
        ]),
      ),
    ).toBe(false);
  });

  it("counts the texts of all messages together", () => {
    const messages = ["a", "b"].map((content) => ({ role: "user", content: content.repeat(700) }));
    expect(isTooLong({ messages })).toBe(true);
  });

  it("counts the text of parts, and no images", () => {
    const text = { type: "text", text: "a".repeat(700) };
    expect(isTooLong(user([text, image("a".repeat(10_000))]))).toBe(false);
    expect(isTooLong(user([text, text]))).toBe(true);
  });
});

it("estimates one token per four bytes, rounded up", () => {
  expect([0, 1, 4, 5].map(estimateTokens)).toEqual([0, 1, 1, 2]);
});
