/** The unchanged parts of a URL template. */
export interface UrlParts {
  /** `https://` or `http://`, in any case. */
  readonly scheme: string;
  /** Host and port. */
  readonly authority: string;
  /** Empty, or begins with `/`. */
  readonly path: string;
  /** Empty, or begins with `?`. A fragment is dropped. */
  readonly query: string;
}

/** Splits a URL template into parts, or returns the problem with its position. */
export function splitUrl(url: string): UrlParts | { readonly problem: string } {
  const masked = maskReferences(url);
  const odd = masked.search(/[\p{Cc}\s\\]/u);
  if (odd >= 0) {
    return urlProblem(odd, "the URL has a space, a backslash or a control character. Percent-encode it.");
  }
  const scheme = /^https?:\/\//i.exec(url)?.[0];
  if (scheme === undefined) {
    return urlProblem(0, "the URL does not begin with https:// or http://. Write the scheme out, without a variable.");
  }
  const end = lengthOf(masked, /#/);
  const open = Array.from(masked.slice(0, end).matchAll(/\$\$|\$\{_*\}|\$\{/g)).find(([token]) => token === "${");
  if (open !== undefined) {
    return urlProblem(open.index, "the braces of a variable are not closed. Close them, or write $$ for a dollar.");
  }
  const query = scheme.length + lengthOf(masked.slice(scheme.length, end), /\?/);
  const path = scheme.length + lengthOf(masked.slice(scheme.length, query), /\//);
  return {
    scheme,
    authority: url.slice(scheme.length, path),
    path: url.slice(path, query),
    query: url.slice(query, end),
  };
}

/** Splits a part of a URL before each character that the class matches, but not inside `${...}`. */
export function splitBefore(part: string, delimiters: RegExp): string[] {
  const starts = Array.from(maskReferences(part).matchAll(delimiters), ({ index }) => index).filter((at) => at > 0);
  return [0, ...starts].map((from, piece) => part.slice(from, starts[piece]));
}

/** Replaces each name in braces with `_`, so that its characters are neither delimiters nor spaces of the URL. */
const maskReferences = (url: string): string =>
  url.replace(/\$\$|\$\{([^{}$\p{Cc}]*)\}/gu, (token, name: string | undefined) =>
    name === undefined ? token : `\${${"_".repeat(name.length)}}`,
  );

/** The length of a text up to a delimiter, or of all of it. */
function lengthOf(text: string, delimiter: RegExp): number {
  const at = text.search(delimiter);
  return at < 0 ? text.length : at;
}

/** Returns a problem with its position in the URL. */
export function urlProblem(index: number, problem: string): { readonly problem: string } {
  return { problem: `url, character ${index + 1}: ${problem}` };
}
