import { isCredentialName } from "./credential-names.ts";

// What follows the slashes is not one, so that a long row of them is read once.
const userinfo = /^(\s*[a-z][a-z\d+.-]*:[/\\]*)(?:[^/\\?#][^/?#]*)?@/i;
const parameterName = /[?&#;]([^=&#;?]*)=/g;

/** A URL whose userinfo, and the values of its queries that are named like a credential, are replaced by `mark`. */
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
