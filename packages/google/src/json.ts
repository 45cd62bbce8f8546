import { isExactNumber, type JsonObject } from "@tollgate/core/provider";

/** True for what JSON calls an object. An ExactNumber is a number. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** The objects of a list; empty for what is no list. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** A member that is an object, or undefined. */
export function objectAt(holder: JsonObject, name: string): JsonObject | undefined {
  const value = holder[name];
  return isObject(value) ? value : undefined;
}

/** A member that is a text with something in it, or undefined. */
export function textAt(holder: JsonObject, name: string): string | undefined {
  const value = holder[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
