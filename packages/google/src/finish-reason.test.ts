import { describe, expect, it } from "vitest";
import { toFinishReason } from "./finish-reason.ts";

const withText = { text: true, calls: false };
const withCalls = { text: false, calls: true };
const empty = { text: false, calls: false };

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
    ["OTHER", "stop"],
    ["MALFORMED_FUNCTION_CALL", "stop"],
    ["A_REASON_OF_LATER", "stop"],
    ["FINISH_REASON_UNSPECIFIED", undefined],
    ["", undefined],
    [undefined, undefined],
    [7, undefined],
  ])("maps %s after text to %s", (reason, expected) => {
    expect(toFinishReason(reason, withText)).toBe(expected);
  });

  it("returns tool_calls after tool calls, unless the answer was truncated or filtered", () => {
    expect(toFinishReason("STOP", withCalls)).toBe("tool_calls");
    expect(toFinishReason("MAX_TOKENS", withCalls)).toBe("length");
    expect(toFinishReason("SAFETY", withCalls)).toBe("content_filter");
  });

  it.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"])(
    "throws if %s ended an empty answer",
    (reason) => {
      expect(() => toFinishReason(reason, empty)).toThrow(reason);
    },
  );
});
