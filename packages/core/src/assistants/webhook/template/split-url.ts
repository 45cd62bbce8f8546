/** The parts of a URL template as they are written, each with where it begins. */
export interface UrlParts {
  /** `https://` or `http://`, in whatever case. */
  readonly scheme: string;
  /** Host and port. */
  readonly authority: string;
  /** Empty, or from the first `/`. */
  readonly path: string;
  /** Empty, or from the `?`; what follows a `#` is dropped. */
  readonly query: string;
}

/** Splits a URL template; or says what is wrong with its form, with the place. */
export function splitUrl(url: string): UrlParts | { readonly problem: string } {
  const odd = url.search(/[\p{Cc}\s\\]/u);
  if (odd >= 0) {
    return urlProblem(odd, "a space, a backslash or a control character stands there. Percent-encode it.");
  }
  const scheme = /^https?:\/\//i.exec(url)?.[0];
  if (scheme === undefined) {
    return urlProblem(
      0,
      "the URL does not begin with https:// or http://. Write that out; no variable can stand there.",
    );
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

/** A problem of the URL at an index of it. */
export function urlProblem(index: number, problem: string): { readonly problem: string } {
  return { problem: `url, character ${index + 1}: ${problem}` };
}

/** Where a `${` stands whose `}` is not in the same part, or -1. */
function openBrace(url: string): number {
  for (const { 0: token, index } of url.matchAll(/\$\$|\$\{[^}/?&=]*\}?/g)) {
    if (token.startsWith("${") && !token.endsWith("}")) return index;
  }
  return -1;
}
