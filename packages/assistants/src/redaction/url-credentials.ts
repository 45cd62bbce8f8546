import { isCredentialName } from "./credential-names.ts";

// The character after the slashes is no slash, so that a long run of slashes is scanned once.
const userinfo = /^(\s*[a-z][a-z\d+.-]*:[/\\]*)(?:[^/\\?#][^/?#]*)?@/i;
const parameterName = /[?&#;]([^=&#;?]*)=/g;

/** Replaces the userinfo of a URL, and query parameters whose names mark a credential, with `mark`. */
export function hideUrlCredentials(url: string, mark: string): string {
  const shown = url.replace(userinfo, (_, scheme: string) => `${scheme}${mark}@`);
  let hidden = "";
  let at = 0;
  for (const match of shown.matchAll(parameterName)) {
    const start = match.index + match[0].length;
    if (start < at || !isCredentialName(match[1] ?? "")) continue;
    const length = shown.slice(start).search(/[&#]|$/);
    hidden += shown.slice(at, start) + mark;
    at = start + length;
  }
  return hidden + shown.slice(at);
}
