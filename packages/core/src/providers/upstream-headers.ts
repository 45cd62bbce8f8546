import { isHeaderName } from "../wire/header-name.ts";

/**
 * Returns the headers of every request to an upstream: those of the host, the provider's `own`, which take precedence,
 * and those for uncompressed JSON, all with lower-case names. Throws a TypeError that names an invalid header.
 */
export function upstreamHeaders(
  provider: string,
  callHeaders: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = { "user-agent": "tollgate" };
  for (const headers of [callHeaders, own]) {
    for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  }
  const bad = Object.entries(all).find(([name, value]) => !isHeaderName(name) || !fieldValue.test(value));
  if (bad !== undefined) {
    throw new TypeError(
      `${provider}: the header ${JSON.stringify(bad[0])} has an invalid name or value. Remove line breaks, surrounding spaces and characters outside ASCII from the option that it comes from, such as apiKey or headers.`,
    );
  }
  return { ...all, "content-type": "application/json", "accept-encoding": "identity" };
}

/** RFC 9110, section 5.5, without obsolete text. */
const fieldValue = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
