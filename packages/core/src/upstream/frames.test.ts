import { describe, expect, it } from "vitest";
import {
  decodeFrames,
  doneFrame,
  encodeErrorFrame,
  encodeFrame,
  encodeUsageFrame,
  keepAliveComment,
} from "./frames.ts";

const identity = { id: "chatcmpl-1", created: 5, model: "public/model" };
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const head = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":5,"model":"public/model"';

describe("frames", () => {
  it("are one data line and one blank line", () => {
    expect(text(encodeFrame({ a: "\n\r\u2028é" }))).toBe('data: {"a":"\\n\\r\u2028é"}\n\n');
    expect(text(doneFrame)).toBe("data: [DONE]\n\n");
    expect(text(keepAliveComment)).toBe(": keep-alive\n\n");
  });

  it("carry the usage with no choices", () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(text(encodeUsageFrame(identity, usage))).toBe(
      `data: {${head},"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\n\n`,
    );
  });

  it("carry an error and a choice that ends with it", () => {
    expect(text(encodeErrorFrame(identity, { message: "no", code: "upstream_failed" }))).toBe(
      `data: {${head},"choices":[{"index":0,"delta":{},"finish_reason":"error"}],"error":{"message":"no","code":"upstream_failed"}}\n\n`,
    );
  });

  it("are decoded, except [DONE] and comments", () => {
    const bytes = new Uint8Array([
      ...encodeFrame({ a: 1 }),
      ...keepAliveComment,
      ...encodeFrame({ b: "data: {" }),
      ...doneFrame,
    ]);
    expect(decodeFrames(bytes)).toEqual([{ a: 1 }, { b: "data: {" }]);
  });
});
