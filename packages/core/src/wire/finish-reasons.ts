/** How an answer ended: OpenAI's five reasons, or `interrupted` for an answer that the upstream gave up, which is a failure. */
export type FinishReason = "stop" | "length" | "tool_calls" | "function_call" | "content_filter" | "interrupted";

/** Further words of an upstream for its reasons, in lower case. */
export type FinishReasons = Readonly<Record<string, FinishReason>>;

/** The reasons that every client of chat completions knows. Follows https://platform.openai.com/docs/api-reference/chat/object */
export const openaiFinishReasons: readonly FinishReason[] = [
  "stop",
  "length",
  "tool_calls",
  "function_call",
  "content_filter",
];

/**
 * What the words of other upstreams say, in this order. The test has those that the listed upstreams document. No two of them
 * use one word for different things, and an answer that may not be complete must not look so.
 */
const patterns: readonly (readonly [RegExp, FinishReason])[] = [
  [
    /filter|safety|sensitive|moderat|refus|block|prohibit|guardrail|policy|toxic|^(?:recitation|spii|language)$/,
    "content_filter",
  ],
  [/max|limit|length|truncat|context|budget|incomplete|repetition|pause/, "length"],
  [
    /error|abort|cancel|interrupt|timeout|fail|malformed|unavailable|overload|resource|unload|userstop|^other$/,
    "interrupted",
  ],
  [/tool/, "tool_calls"],
];

/**
 * Returns the reason that an upstream's word means. `own` has further words of this upstream. A word that names neither a
 * filter, a limit, an error nor a tool is "stop".
 */
export function finishReasonOf(word: string, own?: FinishReasons): FinishReason {
  const folded = word.slice(0, longest).toLowerCase();
  const standard = openaiFinishReasons.find((each) => each === folded);
  if (standard !== undefined) return standard;
  if (own !== undefined && Object.hasOwn(own, folded)) return own[folded] ?? "stop";
  return patterns.find(([pattern]) => pattern.test(folded))?.[1] ?? "stop";
}

/** Longer than any reason. */
const longest = 100;
