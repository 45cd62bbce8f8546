import { tryParseJson } from "@tollgate/core/extension";

/** A piece of a JSON template, in order. */
export type JsonPart =
  /** JSON text without variables. */
  | { readonly kind: "fixed"; readonly text: string }
  /** A string that may have variables. `text` is its parsed value. */
  | { readonly kind: "string"; readonly text: string }
  /** A variable without quotes, in place of a value. Without braces, its name ends by `limit`. */
  | { readonly kind: "value"; readonly text: string; readonly limit: number };

/**
 * Matches a string, with the colon if it is a key; or a variable without quotes. That is in braces, or is a name without
 * whitespace and structural characters, with indexes in brackets. Where either ends does not depend on known names. What is
 * not closed matches up to the end, because a search that failed would begin again at the next quote or brace.
 */
const stringOrValue =
  /("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))(\s*:)?|\$\{[^}]+(?:\}|$)|\$[\p{L}_][^\s{}[\],:"$]*(?:\[\d+\][^\s{}[\],:"$]*)*/gsu;

/** Splits the text of a JSON template, or returns its problem. */
export function splitJson(text: string): { readonly parts: readonly JsonPart[] } | { readonly problem: string } {
  const parts: JsonPart[] = [];
  let withoutVariables = "";
  let from = 0;
  for (const found of tokensOf(text)) {
    const [token, quoted, colon] = found;
    if (colon !== undefined) continue;
    const part = quoted === undefined ? valuePart(token) : stringPart(quoted);
    if (part === undefined) continue;
    const fixed = text.slice(from, found.index);
    withoutVariables += `${fixed}null`;
    parts.push({ kind: "fixed", text: fixed }, part);
    from = found.index + token.length;
  }
  parts.push({ kind: "fixed", text: text.slice(from) });
  const isJson = tryParseJson(withoutVariables + text.slice(from)) !== undefined;
  return isJson ? { parts } : { problem: problemOf(text) };
}

function valuePart(text: string): JsonPart {
  const bracket = text.indexOf("[");
  return { kind: "value", text, limit: bracket < 0 ? text.length : bracket };
}

/** Returns undefined for a string without variables. An invalid string is found by the check of the whole text. */
function stringPart(quoted: string): JsonPart | undefined {
  const text = tryParseJson(quoted);
  return typeof text === "string" && text.includes("$") ? { kind: "string", text } : undefined;
}

/** Reports the position of a `$` that begins no variable; or else the body as a whole. */
function problemOf(text: string): string {
  const dollar = dollarBesideTokens(text);
  return dollar < 0
    ? "body: it is not JSON when each variable without quotes is replaced with null. Check its quotes, commas and brackets."
    : `body, character ${dollar + 1}: a $ without quotes does not begin a variable. Put it into a string.`;
}

function dollarBesideTokens(text: string): number {
  let from = 0;
  for (const { 0: token, index } of tokensOf(text)) {
    const dollar = text.slice(from, index).indexOf("$");
    if (dollar >= 0) return from + dollar;
    from = index + token.length;
  }
  return text.indexOf("$", from);
}

/** The strings and variables of a template, without a brace that is not closed. */
const tokensOf = (text: string): RegExpExecArray[] =>
  Array.from(text.matchAll(stringOrValue)).filter(([token]) => !token.startsWith("${") || token.endsWith("}"));
