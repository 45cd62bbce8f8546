import type { CompiledPart } from "./compiled-part.ts";
import { compileHost } from "./host-template.ts";
import { compilePath } from "./path-template.ts";
import { urlTooLong } from "./refusals.ts";
import { renderText } from "./render-text.ts";
import { splitUrl } from "./split-url.ts";
import { urlTextOf } from "./value-forms.ts";

const mostCharacters = 8_192;

/** Compiles a URL. What it comes to has the template's scheme, host, port and number of path segments, and no fragment. */
export function compileUrl(url: string, allowedHosts: readonly string[] | undefined): CompiledPart<string> {
  const parts = splitUrl(url);
  if ("problem" in parts) return { problems: [parts.problem] };
  const host = compileHost(parts, allowedHosts);
  if ("problems" in host) return host;
  const path = compilePath(parts.path);
  const queryPieces = parts.query.split(/(?=[/?&=])/);
  return {
    template: (scope) => {
      const origin = host.template(scope);
      const place = path(scope);
      let query = "";
      for (const piece of queryPieces) query += renderText(piece, scope, urlTextOf);
      if ("error" in origin) return origin;
      if ("error" in place) return place;
      const finished = origin.value + place.value + query;
      return finished.length > mostCharacters
        ? { error: urlTooLong(finished.length, mostCharacters) }
        : { value: finished };
    },
  };
}
