import type * as v from "valibot";

/**
 * Returns a function that returns answers of a schema with the members that it names in camel case, without those that are
 * null. What hosts and clients wrote, such as a message, stays as it is.
 */
export function camelCase(schema: v.GenericSchema): (answer: object) => object {
  if (!isObject(schema)) return (answer) => answer;
  const members = Object.entries(schema.entries).map(([name, entry]) => ({
    name,
    shown: name.replace(/_(\w)/g, (_, first: string) => first.toUpperCase()),
    convert: converterOf(entry),
    isAbsent: (value: unknown) => value === undefined || (value === null && isNullable(entry)),
  }));
  return (answer) => {
    const shape: Record<string, unknown> = {};
    for (const { name, shown, convert, isAbsent } of members) {
      const value: unknown = Reflect.get(answer, name);
      if (!isAbsent(value)) shape[shown] = convert(value);
    }
    return shape;
  };
}

function converterOf(schema: v.GenericSchema): (value: unknown) => unknown {
  if (isNullable(schema)) return converterOf(schema.wrapped);
  if (isArray(schema)) {
    const convert = converterOf(schema.item);
    return (value) => (Array.isArray(value) ? value.map(convert) : value);
  }
  const convert = camelCase(schema);
  return (value) => (typeof value === "object" && value !== null ? convert(value) : value);
}

/** True for the schema of an object, whose members are its `entries`. */
export const isObject = (schema: v.GenericSchema): schema is v.StrictObjectSchema<v.ObjectEntries, undefined> =>
  schema.type === "strict_object";

const isArray = (schema: v.GenericSchema): schema is v.ArraySchema<v.GenericSchema, undefined> =>
  schema.type === "array";

/** True for a schema of null or of what the schema `wrapped` describes. */
export const isNullable = (schema: v.GenericSchema): schema is v.NullableSchema<v.GenericSchema, undefined> =>
  schema.type === "nullable";
