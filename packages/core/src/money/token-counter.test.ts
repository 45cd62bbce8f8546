import { describe, expect, it } from "vitest";
import { promptOf, promptOfInputs } from "../wire/prompt.ts";
import { noOutput, TokenCounter } from "./token-counter.ts";

const address = `data:image/png;base64,${"A".repeat(100_000)}`;
const content = [
  { type: "text", text: "x".repeat(400) },
  { type: "image_url", image_url: { url: address } },
];
const prompt = promptOf([{ role: "user", content }]);
const bytes = JSON.stringify(prompt.messages).length;

describe("the tokens of a prompt with an image", () => {
  it("are those of its text and the model's tokens of the image, however long the URL is", () => {
    const estimate = new TokenCounter(undefined).prompt(prompt, "m", bytes, 2_048);
    expect(estimate).toBe(2_048 + Math.ceil((bytes - address.length) / 4));
    expect(estimate).toBeLessThan(2_048 + 150);
  });

  it("are counted by the host without the URL", () => {
    const seen: string[] = [];
    const counter = new TokenCounter((text) => {
      seen.push(text);
      return 7;
    });
    expect(counter.prompt(prompt, "m", bytes, 2_048)).toBe(2_055);
    expect(seen).toEqual([expect.stringContaining("xxx")]);
    expect(seen[0]).not.toContain("base64");
  });
});

const failing: readonly (readonly [what: string, count: () => number])[] = [
  ["throws", () => expect.fail("no tokenizer")],
  ["returns a negative number", () => -1],
  ["returns a fraction", () => 1.5],
];

describe("the tokens of messages", () => {
  const messages = promptOf([
    { role: "system", content: "one" },
    { role: "user", content: [{ type: "text", text: "two" }] },
    { role: "assistant" },
  ]);

  it("are counted from their contents, one a line, for the model", () => {
    const seen: string[][] = [];
    const counter = new TokenCounter((...given) => seen.push(given));
    counter.prompt(messages, "model-1", 100, 0);
    expect(seen).toEqual([['one\n[{"type":"text","text":"two"}]\n""', "model-1"]]);
  });

  it.each(failing)("are estimated from the bytes when the host's function %s", (_, count) => {
    expect(new TokenCounter(count).prompt(messages, "m", 101, 0)).toBe(26);
  });

  it("are none for a body that is shorter than its URLs", () => {
    expect(new TokenCounter(undefined).prompt(prompt, "m", 10, 2_048)).toBe(2_048);
  });
});

describe("the tokens of embedding inputs", () => {
  const inputs = promptOfInputs({
    count: 2,
    texts: ["abcde"],
    textBytes: 5,
    tokens: 3,
    check: () => undefined,
    bound: () => 0,
  });

  it("are those that are tokens, and a quarter of the bytes of texts", () => {
    expect(new TokenCounter(undefined).prompt(inputs, "m", 1_000, 0)).toBe(3 + 2);
  });

  it("are those that are tokens, and those that the host counts", () => {
    expect(new TokenCounter((text) => text.length).prompt(inputs, "m", 1_000, 0)).toBe(3 + 5);
  });
});

describe("the tokens of an output", () => {
  const output = { ...noOutput, outputBytes: 101, outputText: () => "text" };

  it("are a quarter of its bytes without a function of the host", () => {
    const counter = new TokenCounter(undefined);
    expect([counter.output(output, "m"), counter.readsText]).toEqual([26, false]);
  });

  it("are those that the host counts in its text, and a quarter of the bytes that are not in it", () => {
    const counter = new TokenCounter((text, model) => text.length + model.length);
    expect([counter.output({ ...output, outputBytes: 9 }, "m"), counter.readsText]).toEqual([4 + 1 + 2, true]);
  });

  it.each(failing)("are a quarter of its bytes when the function %s", (_, count) => {
    expect(new TokenCounter(count).output(output, "m")).toBe(26);
  });

  it("are none where a provider sent nothing", () => {
    expect(noOutput).toMatchObject({ outputBytes: 0, reported: undefined, hasHiddenReasoning: false });
    expect(noOutput.outputText()).toBe("");
  });
});
