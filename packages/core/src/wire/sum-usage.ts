import { isJsonObject } from "./json.ts";
import type { Usage } from "./usage.ts";

/** Adds the usage of two calls, including the counts in the details. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage {
  return { ...nothing, ...addCounts(a ?? {}, b ?? {}) };
}

const nothing: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

type Counts = { readonly [name: string]: unknown };

function addCounts(a: Counts, b: Counts): Counts {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, add(a[name], b[name])]));
}

function add(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (isJsonObject(a) && isJsonObject(b)) return addCounts(a, b);
  return b ?? a;
}
