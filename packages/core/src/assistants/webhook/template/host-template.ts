import type { CompiledPart } from "./compiled-part.ts";
import { hostNotAllowed } from "./refusals.ts";
import { renderText } from "./render-text.ts";
import { type UrlParts, urlProblem } from "./split-url.ts";
import { textOf } from "./value-forms.ts";

/**
 * Compiles scheme, host and port. With a list of allowed hosts, variables may stand in host and port: what they come
 * to is normalised as the URL Standard says and must then be one of the list.
 */
export function compileHost(parts: UrlParts, allowed: readonly string[] | undefined): CompiledPart<string> {
  const { scheme, authority } = parts;
  const unknown = (allowed ?? []).filter((host) => normalHost(scheme, host) === undefined);
  if (unknown.length > 0) {
    return { problems: [`hostVariables: ${JSON.stringify(unknown)} must each be a host, with a port or without.`] };
  }
  const problem = authorityProblem(parts, allowed !== undefined);
  if (problem !== undefined) return { problems: [problem] };
  if (!authority.includes("$")) return { template: () => ({ value: scheme + authority }) };
  const hosts = new Set(allowed?.map((host) => normalHost(scheme, host)));
  return {
    template: (scope) => {
      const host = normalHost(scheme, renderText(authority, scope, textOf));
      return host !== undefined && hosts.has(host) ? { value: scheme + host } : { error: hostNotAllowed() };
    },
  };
}

function authorityProblem({ scheme, authority }: UrlParts, mayVary: boolean): string | undefined {
  const at = (index: number, problem: string) => urlProblem(scheme.length + index, problem).problem;
  const user = authority.indexOf("@");
  if (user >= 0) return at(0, "a user name or password stands before the host. Send credentials in a header.");
  const variable = authority.indexOf("$");
  if (variable >= 0) {
    return mayVary
      ? undefined
      : at(
          variable,
          "a variable stands in the host or port. Write them out, or list what they may be in hostVariables.",
        );
  }
  return normalHost(scheme, authority) === undefined ? at(0, "there is no valid host. Write one.") : undefined;
}

/** Host and port as the URL Standard (https://url.spec.whatwg.org) writes them; undefined: the text is no host. */
function normalHost(scheme: string, text: string): string | undefined {
  if (text === "" || /[\p{Cc}\s\\/?#@]/u.test(text)) return undefined;
  try {
    return new URL(scheme + text).host;
  } catch {
    return undefined;
  }
}
