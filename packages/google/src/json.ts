import { isPlainObject } from "@tollgate/core/internal";
import type { JsonObject } from "@tollgate/core/provider";

/** Returns the objects in an array; empty if the value is not an array. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isPlainObject) : [];

/** Returns the member if it is an object, or undefined. */
export function objectAt(holder: JsonObject, name: string): JsonObject | undefined {
  const value = holder[name];
  return isPlainObject(value) ? value : undefined;
}

/** Returns the member if it is a non-empty string, or undefined. */
export function textAt(holder: JsonObject, name: string): string | undefined {
  const value = holder[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
