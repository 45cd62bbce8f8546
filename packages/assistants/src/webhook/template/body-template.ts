import { byteLength, tryParseJson } from "@tollgate/core/extension";
import type { WebhookConfig } from "../../definition/assistant-config.ts";
import type { CompiledPart, RenderedPart } from "./compiled-part.ts";
import { readReference } from "./read-reference.ts";
import { renderText } from "./render-text.ts";
import type { Scope } from "./scope.ts";
import { bodyTooLong, invalidBody } from "./template-errors.ts";
import { jsonOf, textOf } from "./value-forms.ts";

const maxBytes = 262_144;

type ValueType = NonNullable<WebhookConfig["valueType"]>;

/** Compiles a body. It renders to undefined when the request has none, as with every GET. */
export function compileBody({ method, body, valueType = "array" }: WebhookConfig): CompiledPart<string | undefined> {
  if (method === "GET" || body === undefined || body === "") return { template: () => ({ value: undefined }) };
  const text = typeof body === "string" ? body : textOfObject(body);
  if (text === undefined) return { problems: ["body: cannot be converted to JSON. Give a plain object or a string."] };
  const split = splitJson(text);
  if ("problem" in split) return { problems: [split.problem] };
  const type = typeof body === "string" ? "string" : valueType;
  return { template: (scope) => renderBody(split.parts, type, scope) };
}

function textOfObject(body: object): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}

function renderBody(parts: readonly JsonPart[], valueType: ValueType, scope: Scope): RenderedPart<string> {
  let rendered = "";
  let isJson = true;
  for (const part of parts) {
    const text = renderPart(part, valueType, scope);
    if (text === undefined) isJson = false;
    else rendered += text;
  }
  if (!isJson) return { error: invalidBody("There is text beside a variable without quotes.") };
  const bytes = byteLength(rendered);
  return bytes > maxBytes ? { error: bodyTooLong(bytes, maxBytes) } : { value: rendered };
}

/** Renders a part as JSON text. Each part is one value for any values of its variables, so that the body stays JSON. */
function renderPart(part: JsonPart, valueType: ValueType, scope: Scope): string | undefined {
  if (part.kind === "fixed") return part.text;
  if (part.kind === "string") return renderString(part.text, valueType, scope);
  const reference = readReference(part.text, 0, scope, part.limit);
  const isWhole = reference.kind === "variable" && reference.end === part.text.length;
  return isWhole ? scope.write(reference.value, jsonOf) : undefined;
}

function renderString(text: string, valueType: ValueType, scope: Scope): string {
  if (valueType !== "string" && text.startsWith("$")) {
    const reference = readReference(text, 0, scope);
    if (reference.kind === "variable" && reference.end === text.length) {
      const becomesValue = valueType === "json" || Array.isArray(reference.value);
      return becomesValue ? scope.write(reference.value, jsonOf) : JSON.stringify(textOf(reference.value));
    }
  }
  return JSON.stringify(renderText(text, scope, textOf));
}

/** A piece of a JSON template, in order. */
type JsonPart =
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
