import type { CompiledPart } from "./compiled-part.ts";
import { compileHost } from "./host-template.ts";
import { compilePath } from "./path-template.ts";
import { renderText } from "./render-text.ts";
import { splitBefore, splitUrl } from "./split-url.ts";
import { urlTooLong } from "./template-errors.ts";
import { urlTextOf } from "./value-forms.ts";

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
