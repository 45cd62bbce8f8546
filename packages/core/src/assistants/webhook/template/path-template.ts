import type { Json } from "../../../wire/json.ts";
import type { PartTemplate } from "./compiled-part.ts";
import { unsafePathValue } from "./refusals.ts";
import { renderText } from "./render-text.ts";
import type { Scope } from "./scope.ts";
import { urlTextOf } from "./value-forms.ts";

/** What a URL parser takes for no segment, for this one or the one above (https://url.spec.whatwg.org). */
const leadsElsewhere = /^(?:\.|%2e){0,2}$/i;

/** Compiles a path: as many segments as are written. One with a variable is never empty, `.` or `..`, nor cut short by null. */
export function compilePath(path: string): PartTemplate<string> {
  const segments = path.split("/").map((segment) => (segment.includes("$") ? segment.split(/(?=[&=])/) : segment));
  return (scope) => {
    const rendered = segments.map((segment) => (typeof segment === "string" ? segment : renderSegment(segment, scope)));
    const unsafe = rendered.indexOf(undefined);
    return unsafe < 0 ? { value: rendered.join("/") } : { error: unsafePathValue(unsafe) };
  };
}

/** Undefined: a variable in it has no value, or the segment would lead elsewhere. */
function renderSegment(pieces: readonly string[], scope: Scope): string | undefined {
  let isMissing = false;
  const write = (value: Json | undefined) => {
    isMissing ||= value === undefined || value === null;
    return urlTextOf(value);
  };
  let rendered = "";
  for (const piece of pieces) rendered += renderText(piece, scope, write);
  return isMissing || leadsElsewhere.test(rendered) ? undefined : rendered;
}
