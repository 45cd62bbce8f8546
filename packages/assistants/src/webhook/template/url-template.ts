import type { Json } from "@tollgate/core/provider";
import type { CompiledPart, PartTemplate } from "./compiled-part.ts";
import { renderText } from "./render-text.ts";
import type { Scope } from "./scope.ts";
import { splitBefore, splitUrl, type UrlParts, urlProblem } from "./split-url.ts";
import { hostNotAllowed, unsafePathValue, urlTooLong } from "./template-errors.ts";
import { textOf, urlTextOf } from "./value-forms.ts";

const maxCharacters = 8_192;

/** Compiles a URL. The rendered URL has the scheme, host, port and number of path segments of the template, and no fragment. */
export function compileUrl(url: string, allowedHosts: readonly string[] | undefined): CompiledPart<string> {
  const parts = splitUrl(url);
  if ("problem" in parts) return { problems: [parts.problem] };
  const host = compileHost(parts, allowedHosts);
  if ("problems" in host) return host;
  const path = compilePath(parts.path);
  const queryPieces = splitBefore(parts.query, /[/?&=]/g);
  return {
    template: (scope) => {
      const origin = host.template(scope);
      const renderedPath = path(scope);
      let query = "";
      for (const piece of queryPieces) query += renderText(piece, scope, urlTextOf);
      if ("error" in origin) return origin;
      if ("error" in renderedPath) return renderedPath;
      const rendered = origin.value + renderedPath.value + query;
      return rendered.length > maxCharacters
        ? { error: urlTooLong(rendered.length, maxCharacters) }
        : { value: rendered };
    },
  };
}

/** Matches an empty segment, and those that a URL parser resolves as `.` or `..` (https://url.spec.whatwg.org). */
const unsafeSegment = /^(?:\.|%2e){0,2}$/i;

/** Compiles a path. Rendering never changes the number of segments. A segment with a variable must not be empty, `.` or `..`, and its variables must have values. */
function compilePath(path: string): PartTemplate<string> {
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

/**
 * Compiles scheme, host and port. Host and port may have variables only with a list of allowed hosts: the rendered host is
 * normalized as in the URL Standard, and must then be in the list.
 */
function compileHost(parts: UrlParts, allowed: readonly string[] | undefined): CompiledPart<string> {
  const { scheme, authority } = parts;
  const unknown = (allowed ?? []).filter((host) => normalizedHost(scheme, host) === undefined);
  if (unknown.length > 0) {
    return { problems: [`hostVariables: ${JSON.stringify(unknown)} must each be a host, with or without a port.`] };
  }
  const problem = authorityProblem(parts, allowed !== undefined);
  if (problem !== undefined) return { problems: [problem] };
  if (!authority.includes("$")) return { template: () => ({ value: scheme + authority }) };
  const hosts = new Set(allowed?.map((host) => normalizedHost(scheme, host)));
  return {
    template: (scope) => {
      const host = normalizedHost(scheme, renderText(authority, scope, textOf));
      return host !== undefined && hosts.has(host) ? { value: scheme + host } : { error: hostNotAllowed() };
    },
  };
}

function authorityProblem({ scheme, authority }: UrlParts, mayVary: boolean): string | undefined {
  const at = (index: number, problem: string) => urlProblem(scheme.length + index, problem).problem;
  const user = authority.indexOf("@");
  if (user >= 0) return at(0, "the URL has a user name or password. Send credentials in a header.");
  const variable = authority.indexOf("$");
  if (variable >= 0) {
    return mayVary
      ? undefined
      : at(
          variable,
          "the host or port has a variable. Write out the host and port, or list the allowed ones in hostVariables.",
        );
  }
  return normalizedHost(scheme, authority) === undefined
    ? at(0, "the host is missing or invalid. Write a valid one.")
    : undefined;
}

/** Normalizes host and port as in the URL Standard (https://url.spec.whatwg.org); undefined: the text is not a host. */
function normalizedHost(scheme: string, text: string): string | undefined {
  if (/[\p{Cc}\s\\/?#@]/u.test(text)) return undefined;
  try {
    return new URL(scheme + text).host;
  } catch {
    return undefined;
  }
}
