import type { FinishReasons } from "./finish-reasons.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

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

/**
 * Returns a usage with its counts where OpenAI has them. The places that `form` names are only read if a count is not there.
 * Does not change the usage. Counts are not checked.
 */
export function standardUsage(usage: unknown, form: AnswerForm | undefined): unknown {
  if (form === undefined || !isJsonObject(usage)) return usage;
  const prompt = present({
    cached_tokens: found(usage, "prompt_tokens_details.cached_tokens", form.cachedTokens),
    cache_write_tokens: found(usage, "prompt_tokens_details.cache_write_tokens", form.cacheWriteTokens),
  });
  const completion = present({
    reasoning_tokens: found(usage, "completion_tokens_details.reasoning_tokens", form.reasoningTokens),
  });
  if (prompt === undefined && completion === undefined) return usage;
  return {
    ...usage,
    ...(prompt && { prompt_tokens_details: { ...membersOf(usage["prompt_tokens_details"]), ...prompt } }),
    ...(completion && {
      completion_tokens_details: { ...membersOf(usage["completion_tokens_details"]), ...completion },
    }),
  };
}

/** Returns the value at the first place that has one. Undefined if OpenAI's place has one, which then stays. */
function found(usage: JsonObject, standard: string, places: readonly string[] = []): unknown {
  if (places.length === 0 || follow(usage, standard) != null) return undefined;
  return places.map((place) => follow(usage, place)).find((value) => value != null);
}

const follow = (value: unknown, path: string): unknown =>
  path.split(".").reduce((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);

/** Returns the members that have a value, or undefined if none has. */
function present(members: JsonObject): JsonObject | undefined {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
