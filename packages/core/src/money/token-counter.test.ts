import { describe, expect, it } from "vitest";
import { promptOf } from "../wire/prompt.ts";
import { TokenCounter } from "./token-counter.ts";

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
