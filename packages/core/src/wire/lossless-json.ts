import { isJsonObject, isLosslessNumber, type Json, LosslessNumber } from "./json.ts";

// A number without any of these is an integer of at most 15 digits, which JSON.parse keeps exactly.
const mayLoseDigits = /\d[.eE]|\d{16}|-0/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/**
 * Parses a JSON text as JSON.parse does, except that a number which would lose digits becomes a LosslessNumber. Throws a
 * SyntaxError when the text is not JSON.
 */
export function parseLosslessJson(text: string): Json {
  const value: Json = JSON.parse(text);
  if (!mayLoseDigits.test(text)) return value;
  // Texts whose digits JSON.parse keeps are parsed directly. A random marker distinguishes exact numbers from strings.
  let marker: string | undefined;
  const marked = text.replace(stringOrNumber, (token) => {
    if (token.startsWith('"') || String(Number(token)) === token) return token;
    marker ??= crypto.randomUUID();
    return `"${marker}${token}"`;
  });
  return marker === undefined ? value : JSON.parse(marked, reviver(marker));
}

/** Does the same, and returns undefined for a text that is not JSON. */
export function tryParseLosslessJson(text: string): Json | undefined {
  try {
    return parseLosslessJson(text);
  } catch {
    return undefined;
  }
}

/** Parses a number, string, boolean or null as {@link parseLosslessJson} does. */
export function readLosslessScalar(token: string): Json {
  const value: Json = JSON.parse(token);
  return typeof value !== "number" || String(value) === token ? value : new LosslessNumber(token);
}

/** Writes a value as JSON.stringify does, with each LosslessNumber as a number. */
export function writeLosslessJson(value: unknown): string {
  return (holdsLosslessNumber(value) ? write(value) : JSON.stringify(value)) ?? "null";
}

/** True for a LosslessNumber, and for an array or object that contains one at any depth. */
export const holdsLosslessNumber = (value: unknown): boolean => someValue(value, isLosslessNumber);

const reviver =
  (marker: string) =>
  (_key: string, value: unknown): unknown =>
    typeof value === "string" && value.startsWith(marker) ? new LosslessNumber(value.slice(marker.length)) : value;

/** Returns undefined for a value that JSON.stringify omits. */
function write(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? "null").join(",")}]`;
  if (!isJsonObject(value) || typeof value["toJSON"] === "function") return JSON.stringify(value);
  let members = "";
  for (const [key, member] of Object.entries(value)) {
    const text = write(member);
    if (text !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}

/** True if the value or a value inside it, at any depth, passes the test. Stops at the first value that passes. */
export function someValue(root: unknown, passes: (value: unknown) => boolean): boolean {
  // Not recursive, since JSON.parse accepts any depth. Object.values would take three times as long.
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (passes(value)) return true;
    if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (isJsonObject(value)) for (const name in value) left.push(value[name]);
  }
  return false;
}
