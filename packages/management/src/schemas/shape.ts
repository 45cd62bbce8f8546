import type * as v from "valibot";

/** True for the schema of an object, whose members are its `entries`. */
export const isObject = (schema: v.GenericSchema): schema is v.StrictObjectSchema<v.ObjectEntries, undefined> =>
  schema.type === "strict_object";

/** True for the schema of an array of `item`. */
export const isArray = (schema: v.GenericSchema): schema is v.ArraySchema<v.GenericSchema, undefined> =>
  schema.type === "array";

/** True for a schema of null or of what the schema `wrapped` describes. */
export const isNullable = (schema: v.GenericSchema): schema is v.NullableSchema<v.GenericSchema, undefined> =>
  schema.type === "nullable";
