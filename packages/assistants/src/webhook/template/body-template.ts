import { byteLength } from "@tollgate/core/extension";
import type { WebhookConfig } from "../../definition/assistant-config.ts";
import type { CompiledPart, RenderedPart } from "./compiled-part.ts";
import { type JsonPart, splitJson } from "./json-parts.ts";
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
