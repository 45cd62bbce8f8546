import { type ModelAnswer, someTokens, textAnswer, toolCall, toolsAnswer } from "../../upstream/model-answer.ts";

/** Answers with one feature each, which every client must read. */
export const answers = {
  text: textAnswer(["Hé", "llo ", "wörld 🌍"]),
  /** Two calls of tools at once, after a text. */
  tools: toolsAnswer(
    [
      toolCall("call_oslo", "get_weather", { city: "Oslo", days: 2 }),
      toolCall("call_rome", "get_weather", { city: 'R"o"me' }),
    ],
    ["I will ", "look."],
  ),
  /** A call without arguments. */
  bareTool: toolsAnswer([toolCall("call_now", "get_time", {})]),
  thinking: {
    parts: [
      { type: "thinking", pieces: ["First ", "this."], signature: "c2lnbmF0dXJl" },
      { type: "text", pieces: ["Then ", "that."] },
    ],
    end: "stop",
    tokens: { ...someTokens, output: 40, reasoning: 25 },
  },
  truncated: { ...textAnswer(["Once ", "upon"]), end: "length" },
  cached: textAnswer(["Cached."], { input: 12, cacheRead: 700, cacheWrite5m: 80, output: 5 }),
  object: textAnswer(['{"name":"Ada",', '"age":36}']),
} as const satisfies Readonly<Record<string, ModelAnswer>>;
