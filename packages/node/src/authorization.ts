import type { IncomingMessage } from "node:http";

const authorization = "authorization";

/**
 * All Authorization headers of a request, combined by ", " as Fetch does; undefined when there is none. Node keeps the
 * first of several, and a request with two keys must be refused rather than charged to one of them.
 */
export function authorizationOf({ rawHeaders }: IncomingMessage): string | undefined {
  let all: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== authorization.length || name.toLowerCase() !== authorization) continue;
    const value = rawHeaders[at + 1] ?? "";
    all = all === undefined ? value : `${all}, ${value}`;
  }
  return all;
}
