import { isExactNumber, type JsonObject, parseExactJson } from "@tollgate/core/provider";

/** True for what JSON calls an object. An ExactNumber is a number. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** The value of a JSON text, or undefined when the text is not JSON. */
export const parseJson = (text: string): unknown => parseWith(JSON.parse, text);

/** The same with every number as it was written. It takes longer, so it is for texts with arguments. */
export const parseExactly = (text: string): unknown => parseWith(parseExactJson, text);

function parseWith(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
