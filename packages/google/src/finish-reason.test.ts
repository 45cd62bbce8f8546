import { describe, expect, it } from "vitest";
import { toFinishReason } from "./finish-reason.ts";

const said = { text: true, calls: false };
const called = { text: false, calls: true };
const nothing = { text: false, calls: false };

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
  ])("after a text, %s is %s", (reason, expected) => {
    expect(toFinishReason(reason, said)).toBe(expected);
  });

  it("is tool_calls where calls were made, unless the answer was cut or filtered", () => {
    expect(toFinishReason("STOP", called)).toBe("tool_calls");
    expect(toFinishReason("MAX_TOKENS", called)).toBe("length");
    expect(toFinishReason("SAFETY", called)).toBe("content_filter");
  });

  it.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"])(
    "fails when %s left nothing",
    (reason) => {
      expect(() => toFinishReason(reason, nothing)).toThrow(reason);
    },
  );
});
