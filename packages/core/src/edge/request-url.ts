import type { ClientRequest } from "../ports/client-request.ts";

/** The path and query that a client asked for, as a URL whose host means nothing. */
export const requestUrl = ({ url }: ClientRequest): URL => urlOf(url);

/**
 * A URL, or its path and query, as a URL of localhost. Servers put the `Host` header of the client into a URL, and not
 * every value of it is a host that a URL may have.
 */
export function urlOf(url: string): URL {
  return new URL(`http://localhost${url.replace(origin, "")}`);
}

/** Scheme and authority (RFC 3986, section 3). */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;
