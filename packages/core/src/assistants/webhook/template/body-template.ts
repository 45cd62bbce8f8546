import { byteLength } from "../../../wire/utf8.ts";
import type { WebhookConfig } from "../../definition/assistant-config.ts";
import type { CompiledPart, RenderedPart } from "./compiled-part.ts";
import { type JsonPart, splitJson } from "./json-parts.ts";
import { readReference } from "./read-reference.ts";
import { bodyTooLong, invalidBody } from "./refusals.ts";
import { renderText } from "./render-text.ts";
import type { Scope } from "./scope.ts";
import { jsonOf, textOf } from "./value-forms.ts";

const mostBytes = 262_144;

type ValueType = NonNullable<WebhookConfig["valueType"]>;

/** Compiles a body of either form; undefined: none is sent, as with every GET. */
export function compileBody({ method, body, valueType = "array" }: WebhookConfig): CompiledPart<string | undefined> {
  if (method === "GET" || body === undefined || body === "") return { template: () => ({ value: undefined }) };
  const text = typeof body === "string" ? body : textOfObject(body);
  if (text === undefined) return { problems: ["body: cannot be written as JSON. Give a plain object, or text."] };
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
  if (!isJson) return { error: invalidBody("Text is left over beside a variable without quotes.") };
  const bytes = byteLength(rendered);
  return bytes > mostBytes ? { error: bodyTooLong(bytes, mostBytes) } : { value: rendered };
}

/** The JSON text of a part. Each comes to one value whatever its variables are, so that the whole stays JSON. */
function renderPart(part: JsonPart, valueType: ValueType, scope: Scope): string | undefined {
  if (part.kind === "fixed") return part.text;
  if (part.kind === "string") return renderString(part.text, valueType, scope);
  const reference = readReference(part.text, 0, scope, part.limit);
  const isWhole = reference.kind === "variable" && reference.end === part.text.length;
  return isWhole ? jsonOf(reference.value) : undefined;
}

function renderString(text: string, valueType: ValueType, scope: Scope): string {
  if (valueType !== "string" && text.startsWith("$")) {
    const reference = readReference(text, 0, scope);
    if (reference.kind === "variable" && reference.end === text.length) {
      const becomesValue = valueType === "json" || Array.isArray(reference.value);
      return becomesValue ? jsonOf(reference.value) : JSON.stringify(textOf(reference.value));
    }
  }
  return JSON.stringify(renderText(text, scope, textOf));
}
