import { describe, expect, it } from "vitest";
import type { ThinkingConfig } from "./gemini-request.ts";
import { toThinkingConfig } from "./map-request.ts";

describe("toThinkingConfig", () => {
  it.each<[string, string, ThinkingConfig]>([
    ["gemini-2.5-flash", "minimal", { thinkingBudget: 1_024 }],
    ["gemini-2.5-flash", "low", { thinkingBudget: 1_024 }],
    ["gemini-2.5-pro", "medium", { thinkingBudget: 8_192 }],
    ["models/gemini-2.5-flash-lite", "high", { thinkingBudget: 24_576 }],
    ["gemini-2.5-flash", "none", { thinkingBudget: 0 }],
    ["gemini-3-flash-preview", "minimal", { thinkingLevel: "MINIMAL" }],
    ["gemini-3.1-pro-preview", "minimal", { thinkingLevel: "LOW" }],
    ["gemini-3-pro-preview", "low", { thinkingLevel: "LOW" }],
    ["gemini-flash-latest", "medium", { thinkingLevel: "MEDIUM" }],
    ["gemini-25-flash", "high", { thinkingLevel: "HIGH" }],
  ])("maps for %s the effort %s", (model, effort, config) => {
    expect(toThinkingConfig(effort, model, false)).toEqual(config);
  });

  it("requests thought summaries unless thinking is off", () => {
    expect(toThinkingConfig("high", "gemini-3-flash-preview", true)).toEqual({
      thinkingLevel: "HIGH",
      includeThoughts: true,
    });
    expect(toThinkingConfig("none", "gemini-2.5-flash", true)).toEqual({ thinkingBudget: 0 });
  });

  it.each([
    ["gemini-2.0-flash", "low"],
    ["gemini-1.5-pro", "none"],
    ["gemma-3-27b-it", "low"],
    ["gemini-2.5-pro", "none"],
    ["gemini-3-flash-preview", "none"],
    ["gemini-3-flash-preview", "xhigh"],
    ["gemini-2.5-flash", "HIGH"],
    ["gemini-2.5-flash", "toString"],
  ])("rejects for %s the effort %s", (model, effort) => {
    expect(() => toThinkingConfig(effort, model, true)).toThrow("reasoning_effort");
  });
});
