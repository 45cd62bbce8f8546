import type { CompiledPart } from "./compiled-part.ts";
import { renderText } from "./render-text.ts";
import { type UrlParts, urlProblem } from "./split-url.ts";
import { hostNotAllowed } from "./template-errors.ts";
import { textOf } from "./value-forms.ts";

/**
 * Compiles scheme, host and port. Host and port may have variables only with a list of allowed hosts: the rendered host is
 * normalized as in the URL Standard, and must then be in the list.
 */
export function compileHost(parts: UrlParts, allowed: readonly string[] | undefined): CompiledPart<string> {
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
