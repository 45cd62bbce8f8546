import type { Json } from "@tollgate/core/provider";
import type { PartTemplate } from "./compiled-part.ts";
import { renderText } from "./render-text.ts";
import type { Scope } from "./scope.ts";
import { splitBefore } from "./split-url.ts";
import { unsafePathValue } from "./template-errors.ts";
import { urlTextOf } from "./value-forms.ts";

/** Matches an empty segment, and those that a URL parser resolves as `.` or `..` (https://url.spec.whatwg.org). */
const unsafeSegment = /^(?:\.|%2e){0,2}$/i;

/** Compiles a path. Rendering never changes the number of segments. A segment with a variable must not be empty, `.` or `..`, and its variables must have values. */
export function compilePath(path: string): PartTemplate<string> {
  const written = path === "" ? [] : splitBefore(path, /\//g).map((segment) => segment.slice(1));
  const segments = ["", ...written].map((segment) => (segment.includes("$") ? splitBefore(segment, /[&=]/g) : segment));
  return (scope) => {
    const rendered = segments.map((segment) => (typeof segment === "string" ? segment : renderSegment(segment, scope)));
    const unsafe = rendered.indexOf(undefined);
    return unsafe < 0 ? { value: rendered.join("/") } : { error: unsafePathValue(unsafe) };
  };
}

/** Returns undefined if a variable has no value or the segment is unsafe. */
function renderSegment(pieces: readonly string[], scope: Scope): string | undefined {
  let isMissing = false;
  const write = (value: Json | undefined) => {
    isMissing ||= value === undefined || value === null;
    return scope.write(value, urlTextOf);
  };
  let rendered = "";
  for (const piece of pieces) rendered += renderText(piece, scope, write);
  return isMissing || unsafeSegment.test(rendered) ? undefined : rendered;
}
