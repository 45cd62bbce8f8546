import { isJsonObject } from "./json.ts";
import type { Usage } from "./usage.ts";

/** Adds the usage of two calls, including the counts in the details. */
export function sumUsage(one: Usage | undefined, other: Usage | undefined): Usage {
  return { ...nothing, ...addCounts(one ?? {}, other ?? {}) };
}

const nothing: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

type Counts = { readonly [name: string]: unknown };

function addCounts(one: Counts, other: Counts): Counts {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, add(one[name], other[name])]));
}

function add(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (isJsonObject(one) && isJsonObject(other)) return addCounts(one, other);
  return other ?? one;
}
