import { describe, expect, it } from "vitest";
import { toFinishReason } from "./map-response.ts";

describe("toFinishReason", () => {
  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["RECITATION", "content_filter"],
    ["LANGUAGE", "content_filter"],
    ["BLOCKLIST", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["SPII", "content_filter"],
    ["IMAGE_SAFETY", "content_filter"],
    ["A_REASON_OF_LATER", "stop"],
    ["A_LIMIT_OF_LATER", "length"],
    ["FINISH_REASON_UNSPECIFIED", undefined],
    ["", undefined],
    [undefined, undefined],
    [7, undefined],
  ])("maps %s to %s", (reason, expected) => {
    expect(toFinishReason(reason, false)).toBe(expected);
  });

  it("returns tool_calls after tool calls, unless the answer was truncated or filtered", () => {
    expect(toFinishReason("STOP", true)).toBe("tool_calls");
    expect(toFinishReason("MAX_TOKENS", true)).toBe("length");
    expect(toFinishReason("SAFETY", true)).toBe("content_filter");
  });

  it.each([
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MALFORMED_RESPONSE",
    "OTHER",
    "AN_ERROR_OF_LATER",
  ])("throws if %s ended the answer, which must not look complete", (reason) => {
    expect(() => toFinishReason(reason, false)).toThrow(reason);
    expect(() => toFinishReason(reason, true)).toThrow(reason);
  });
});
