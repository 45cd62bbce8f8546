import { describe, expect, it } from "vitest";
import { isInputTooLong, MeasuredInputs } from "./embeddings-request.ts";

it.each<[what: string, inputs: readonly (string | readonly number[])[], window: number | undefined, tokens: number]>([
  ["tokens as they are", [[1, 2, 3], [4]], undefined, 4],
  ["half the bytes of texts, 8 for each, and 32", ["abc", "é"], undefined, 3 + 16 + 32],
  ["texts and tokens together", ["abc", [1, 2]], undefined, 2 + 8 + 32 + 2],
  ["at most the window of each input", ["a".repeat(1_000), "b".repeat(1_000)], 100, 200],
])("counts %s as the bound of the tokens", (_, inputs, contextWindow, tokens) => {
  expect(new MeasuredInputs(inputs).bound(contextWindow)).toBe(tokens);
});

describe("isInputTooLong", () => {
  it.each<[what: string, input: string | readonly number[], isTooLong: boolean]>([
    ["128 characters per token", "a".repeat(1_280), false],
    ["one character more", "a".repeat(1_281), true],
    ["as many tokens as the window", Array<number>(10).fill(1), false],
    ["one token more", Array<number>(11).fill(1), true],
  ])("is decided for %s", (_, input, isTooLong) => expect(isInputTooLong(input, 10)).toBe(isTooLong));
});
