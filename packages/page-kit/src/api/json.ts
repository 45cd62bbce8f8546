import type { Json } from "./operations.ts";

/** Returns a member of a JSON object; undefined for other values and for members that it does not have itself. */
export function memberOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
