import { isJsonObject } from "./json.ts";

/** Where the chat completions of an upstream differ from OpenAI's. Everything is optional. */
export interface AnswerForm {
  /** Where its usage has the cached tokens, as dot paths, besides `prompt_tokens_details.cached_tokens`, which wins. */
  readonly cachedTokens?: readonly string[];
  /** The same for tokens that were written to a cache, besides `prompt_tokens_details.cache_write_tokens`. */
  readonly cacheWriteTokens?: readonly string[];
  /** The same for reasoning tokens, besides `completion_tokens_details.reasoning_tokens`. */
  readonly reasoningTokens?: readonly string[];
  /** Its words for reasons of ending, in lower case, besides those of the listed upstreams. */
  readonly finishReasons?: FinishReasons;
}

/** Where OpenAI has the counts whose other places a form names. */
const standardPlaces = [
  ["cachedTokens", "prompt_tokens_details", "cached_tokens"],
  ["cacheWriteTokens", "prompt_tokens_details", "cache_write_tokens"],
  ["reasoningTokens", "completion_tokens_details", "reasoning_tokens"],
] as const;

/**
 * Returns a usage with its counts where OpenAI has them: the usage itself if no place that `form` names adds one. Does not
 * change the usage. Counts are not checked.
 */
export function standardUsage(usage: unknown, form: AnswerForm | undefined): unknown {
  if (form === undefined || !isJsonObject(usage)) return usage;
  let standard = usage;
  for (const [place, name, count] of standardPlaces) {
    const details = isJsonObject(standard[name]) ? standard[name] : {};
    if (details[count] != null) continue;
    const found = form[place]?.map((path) => follow(usage, path)).find((value) => value != null);
    if (found != null) standard = { ...standard, [name]: { ...details, [count]: found } };
  }
  return standard;
}

const follow = (value: unknown, path: string): unknown =>
  path.split(".").reduce((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);

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
