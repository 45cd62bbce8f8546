import { describe, expect, it } from "vitest";
import { toUsage } from "./usage.ts";

describe("toUsage", () => {
  it("takes counts that are missing for none", () => {
    expect(toUsage({ promptTokenCount: 5 })).toEqual({ prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 });
  });

  it("makes its own sum, since the API's has been wrong", () => {
    const metadata = { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 99 };
    expect(toUsage(metadata)).toMatchObject({ completion_tokens: 5, total_tokens: 10 });
  });

  it.each([
    undefined,
    null,
    7,
    [],
    {},
    { trafficType: "ON_DEMAND" },
    { promptTokenCount: "5" },
    { promptTokenCount: -1 },
    { promptTokenCount: 5, candidatesTokenCount: 0.5 },
    { promptTokenCount: 5, candidatesTokenCount: -2 },
    { promptTokenCount: 5, thoughtsTokenCount: "3" },
    { promptTokenCount: 5, toolUsePromptTokenCount: -3 },
  ])("takes %j for no usage", (metadata) => {
    expect(toUsage(metadata)).toBeUndefined();
  });

  it("leaves out a count of cached tokens that cannot be", () => {
    const metadata = { promptTokenCount: 5, cachedContentTokenCount: "4" };
    expect(toUsage(metadata)).toEqual({ prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 });
  });
});
