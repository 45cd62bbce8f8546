import type { ClientRequest } from "../ports/client-request.ts";

/** The path and query of a request, as a URL with the host `localhost`. */
export const requestUrl = ({ url }: Pick<ClientRequest, "url">): URL => urlOf(url);

/** Decodes an id in a path. Returns one with invalid percent-encoding unchanged. */
export function decodePathId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * Parses a URL, or its path and query, and replaces the host with `localhost`. Servers build URLs with the `Host` header
 * of the client, which may not be a valid host.
 */
export function urlOf(url: string): URL {
  return new URL(`http://localhost${url.replace(origin, "")}`);
}

/** Scheme and authority (RFC 3986, section 3). */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;
