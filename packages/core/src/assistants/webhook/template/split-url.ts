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
  const odd = url.search(/[\p{Cc}\s\\]/u);
  if (odd >= 0) {
    return urlProblem(odd, "the URL has a space, a backslash or a control character. Percent-encode it.");
  }
  const scheme = /^https?:\/\//i.exec(url)?.[0];
  if (scheme === undefined) {
    return urlProblem(0, "the URL does not begin with https:// or http://. Write the scheme out, without a variable.");
  }
  const [whole = "", authority = "", path = "", query = ""] =
    /^([^/?#]*)([^?#]*)([^#]*)/.exec(url.slice(scheme.length)) ?? [];
  const open = openBrace(whole);
  if (open >= 0) {
    return urlProblem(
      scheme.length + open,
      "the braces of a variable are not closed before the next / ? & # or =. Close them, or write $$ for a dollar.",
    );
  }
  return { scheme, authority, path, query };
}

/** Returns a problem with its position in the URL. */
export function urlProblem(index: number, problem: string): { readonly problem: string } {
  return { problem: `url, character ${index + 1}: ${problem}` };
}

/** Returns the position of a `${` whose `}` is not in the same part, or -1. */
function openBrace(url: string): number {
  for (const { 0: token, index } of url.matchAll(/\$\$|\$\{[^}/?&=]*\}?/g)) {
    if (token.startsWith("${") && !token.endsWith("}")) return index;
  }
  return -1;
}
