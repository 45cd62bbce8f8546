import { describe, expect, it } from "vitest";
import { finishReasonOf, isFinishReason } from "./finish-reasons.ts";

describe("finishReasonOf", () => {
  it.each([
    ["OpenAI", "function_call", "function_call"],
    ["Together", "eos", "stop"],
    ["xAI", "end_turn", "stop"],
    ["DeepSeek", "insufficient_system_resource", "interrupted"],
    ["Mistral", "model_length", "length"],
    ["Mistral", "error", "interrupted"],
    ["Z.ai", "sensitive", "content_filter"],
    ["Z.ai", "model_context_window_exceeded", "length"],
    ["Z.ai", "network_error", "interrupted"],
    ["Cohere", "MAX_TOKENS", "length"],
    ["Cohere", "ERROR_TOXIC", "content_filter"],
    ["Cohere", "ERROR", "interrupted"],
    ["vLLM", "abort", "interrupted"],
    ["vLLM", "repetition", "length"],
    ["LM Studio", "contextLengthReached", "length"],
    ["an unlisted upstream", "MAX_OUTPUT_REACHED", "length"],
    ["an unlisted upstream", "blocked_by_policy", "content_filter"],
    ["an unlisted upstream", "gpu_failure", "interrupted"],
    ["an unlisted upstream", "done", "stop"],
    ["an object's own names", "constructor", "stop"],
  ] as const)("reads the word of %s: %s is %s", (_upstream, word, reason) => {
    expect(finishReasonOf(word)).toBe(reason);
  });

  it("knows an upstream's own words, whatever their case, but not for a known one", () => {
    expect(finishReasonOf("DONE", { done: "length" })).toBe("length");
    expect(finishReasonOf("stop", { stop: "length" })).toBe("stop");
  });
});

it("knows the reasons that chat clients know", () => {
  expect(["stop", "length", "tool_calls", "function_call", "content_filter"].every(isFinishReason)).toBe(true);
  expect(["interrupted", "eos", "", null, undefined].some(isFinishReason)).toBe(false);
});
