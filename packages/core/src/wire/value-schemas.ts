import * as v from "valibot";
import { isJsonObject, type JsonObject } from "./json.ts";

/** A text, which may be empty. */
export const text = v.string("must be a string");
/** True or false. */
export const flag = v.boolean("must be true or false");
/** A number. */
export const number = v.number("must be a number");
/** A number of tokens, dimensions and the like, of at least one. */
export const positiveInteger = v.pipe(
  number,
  v.safeInteger("must be a whole number"),
  v.minValue(1, "must be at least 1"),
);
/** An object of the client, in which nothing is inspected. */
export const object = v.custom<JsonObject>(isJsonObject, "must be an object");

/** The first problem of a request, with the dot path of the invalid member. */
export interface RequestProblem {
  readonly param: string | undefined;
  readonly message: string;
}

/** Validates a request. Returns what its schema makes of it, or the first problem. */
export function validate<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): { readonly output: Output } | { readonly problem: RequestProblem } {
  const result = v.safeParse(schema, value, { abortEarly: true });
  return result.success ? { output: result.output } : { problem: toProblem(result.issues[0]) };
}

function toProblem(issue: v.BaseIssue<unknown>): RequestProblem {
  return {
    param: issue.path?.map(({ key }) => String(key)).join("."),
    message: issue.received === "undefined" ? "is required" : issue.message,
  };
}
