import type { FinishReasons } from "./finish-reasons.ts";
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
