import { isLosslessNumber, type JsonObject, parseLosslessJson } from "@tollgate/core/provider";

/** Returns true for a JSON object. An LosslessNumber is a number, not an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/** Parses JSON. Returns undefined if the text is not JSON. */
export const parseJson = (text: string): unknown => parseWith(JSON.parse, text);

/** Parses JSON and keeps all digits of numbers. It is slower than `parseJson`, so it is used only for tool arguments. */
export const parseLossless = (text: string): unknown => parseWith(parseLosslessJson, text);

function parseWith(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
