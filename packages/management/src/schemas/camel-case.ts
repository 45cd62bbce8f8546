import type * as v from "valibot";
import { isArray, isNullable, isObject } from "./shape.ts";

/**
 * Returns an answer with the members that its schema names in camel case, without those that are null. What hosts and
 * clients wrote, such as a message, stays as it is.
 */
export function camelCased(schema: v.GenericSchema, answer: object): object {
  if (!isObject(schema)) return answer;
  const members = Object.entries(schema.entries).flatMap(([name, entry]) => {
    const value: unknown = Reflect.get(answer, name);
    const isAbsent = value === undefined || (value === null && isNullable(entry));
    return isAbsent
      ? []
      : [[name.replace(/_(\w)/g, (_, first: string) => first.toUpperCase()), memberOf(entry, value)]];
  });
  return Object.fromEntries(members);
}

function memberOf(schema: v.GenericSchema, value: unknown): unknown {
  if (isNullable(schema)) return memberOf(schema.wrapped, value);
  if (isArray(schema) && Array.isArray(value)) return value.map((each) => memberOf(schema.item, each));
  return typeof value === "object" && value !== null ? camelCased(schema, value) : value;
}
