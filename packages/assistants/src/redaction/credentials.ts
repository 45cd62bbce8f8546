import { isJsonList, isJsonMembers } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";

/** Parts that mark a credential anywhere in a name. */
const parts = /token|secret|passw|pwd|signature|credential|authori[sz]|api[^a-z]?key|oauth|cookie|key$/;
/** Whole words that mark a credential: `key`, but not `keyword`. */
const words = /(?:^|[^a-z])(?:keys?|sig|code|auth|pass|jwt|hmac)(?:[^a-z]|$)/;

/** True for the name of a header or query parameter that is likely to hold a credential, such as `X-Api-Key` or `sig`. */
export function isCredentialName(name: string): boolean {
  const plain = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
  return parts.test(plain) || words.test(plain);
}

/** A value that is one variable, such as `Bearer $API_KEY`. It contains no credential itself. */
const onlyVariable = /^(?:[A-Za-z]+ )?\$(?:\{[^}]+\}|[\w.]+)$/;

/** True for the value of a header or member whose name marks a credential, unless it is one variable. */
export const isCredential = (name: string, value: unknown): boolean =>
  isCredentialName(name) && !(typeof value === "string" && onlyVariable.test(value));

/**
 * Replaces the members of a configured body whose names mark a credential, at any depth, with `mark`. In a body that is a
 * text, which need not be JSON before its variables are inserted, it replaces strings and numbers.
 */
export function hideBodyCredentials(body: Json, mark: string): Json {
  return typeof body === "string" ? hideInText(body, mark) : hideInValue(body, mark);
}

function hideInValue(value: Json, mark: string): Json {
  if (isJsonList(value)) return value.map((item) => hideInValue(item, mark));
  if (!isJsonMembers(value)) return value;
  const shown = Object.entries(value).map(([name, member]) => [
    name,
    isCredential(name, member) ? mark : hideInValue(member, mark),
  ]);
  return Object.fromEntries(shown);
}

const member = /"((?:[^"\\]|\\.)*)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*)/gs;

const hideInText = (text: string, mark: string): string =>
  text.replace(member, (whole, name: string, colon: string, value: string | undefined) =>
    isCredential(name, value) ? `"${name}"${colon}"${mark}"` : whole,
  );

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
