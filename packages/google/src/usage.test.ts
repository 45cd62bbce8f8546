import { describe, expect, it } from "vitest";
import { toUsage } from "./map-response.ts";

describe("toUsage", () => {
  it("treats missing counts as 0", () => {
    expect(toUsage({ promptTokenCount: 5 })).toEqual({ prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 });
  });

  it("calculates the total itself, since the API's total can be wrong", () => {
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
  ])("returns undefined for %j", (metadata) => {
    expect(toUsage(metadata)).toBeUndefined();
  });

  it("leaves out an invalid count of cached tokens", () => {
    const metadata = { promptTokenCount: 5, cachedContentTokenCount: "4" };
    expect(toUsage(metadata)).toEqual({ prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 });
  });
});
