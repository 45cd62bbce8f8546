/** A piece of a JSON template, in order. */
export type JsonPart =
  /** JSON text that stays as it is written. */
  | { readonly kind: "fixed"; readonly text: string }
  /** A string that may have variables; `text` is what it says, without quotes and escapes. */
  | { readonly kind: "string"; readonly text: string }
  /** A variable without quotes, in the place of a value; its name ends by `limit` when it has no braces. */
  | { readonly kind: "value"; readonly text: string; readonly limit: number };

/**
 * A string with what makes it a key; or a variable without quotes: in braces, or a name without blanks and structural
 * characters, in whose path there may be indexes in brackets. The end of either does not depend on any known name.
 */
const stringOrValue =
  /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|\$\{[^}]+\}|\$[\p{L}_][^\s{}[\],:"$]*(?:\[\d+\][^\s{}[\],:"$]*)*/gsu;

/** Splits the text of a JSON template; or says what is wrong with it. */
export function splitJson(text: string): { readonly parts: readonly JsonPart[] } | { readonly problem: string } {
  const parts: JsonPart[] = [];
  let withoutVariables = "";
  let from = 0;
  for (const found of text.matchAll(stringOrValue)) {
    const [token, quoted, colon] = found;
    if (colon !== undefined) continue;
    const part = quoted === undefined ? valuePart(token) : stringPart(quoted);
    if (part === undefined) continue;
    const fixed = text.slice(from, found.index);
    withoutVariables += fixed + (part.kind === "value" ? "null" : '""');
    parts.push({ kind: "fixed", text: fixed }, part);
    from = found.index + token.length;
  }
  parts.push({ kind: "fixed", text: text.slice(from) });
  const isJson = parse(withoutVariables + text.slice(from)) !== undefined;
  return isJson ? { parts } : { problem: problemOf(text) };
}

function valuePart(text: string): JsonPart {
  const bracket = text.indexOf("[");
  return { kind: "value", text, limit: bracket < 0 ? text.length : bracket };
}

/** Undefined: it has no variable, or is no JSON, which the check of the whole text finds. */
function stringPart(quoted: string): JsonPart | undefined {
  const text = parse(quoted);
  return typeof text === "string" && text.includes("$") ? { kind: "string", text } : undefined;
}

/** Undefined: the text is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The place of a dollar that is no variable, the mistake that the text alone shows; else the whole body. */
function problemOf(text: string): string {
  const lone = Array.from(text.matchAll(stringOrValue)).reduce(
    (rest, { 0: token, index }) => rest.slice(0, index) + " ".repeat(token.length) + rest.slice(index + token.length),
    text,
  );
  const dollar = lone.indexOf("$");
  return dollar < 0
    ? "body: with a null for each variable without quotes it is no JSON. Check its quotes, commas and brackets."
    : `body, character ${dollar + 1}: a dollar without quotes stands there that begins no variable. Put it into a string.`;
}
