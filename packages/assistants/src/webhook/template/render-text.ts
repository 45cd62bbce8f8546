import { type Reference, readReference } from "./read-reference.ts";
import type { Scope } from "./scope.ts";
import type { WriteValue } from "./value-forms.ts";

/** Replaces the variables of a text in one pass. Inserted values are not parsed for variables. */
export function renderText(text: string, scope: Scope, write: WriteValue): string {
  let at = text.indexOf("$");
  if (at < 0) return text;
  // Beyond it no brace is closed, and searching for one at each "${" would take quadratic time.
  const lastBrace = text.lastIndexOf("}");
  let rendered = "";
  let from = 0;
  for (; at >= 0; at = text.indexOf("$", from)) {
    const isUnclosed = at > lastBrace && text.startsWith("${", at);
    const reference = isUnclosed ? unclosed(at) : readReference(text, at, scope);
    rendered += text.slice(from, at) + (reference.kind === "dollar" ? "$" : scope.write(reference.value, write));
    from = reference.end;
  }
  return rendered + text.slice(from);
}

const unclosed = (at: number): Reference => ({ kind: "dollar", end: at + 1 });
