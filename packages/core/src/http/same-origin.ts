import { GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "../ports/client-request.ts";

/**
 * Throws 403 for a change that a page of another site may have caused. It passes with a bearer token, which no browser
 * adds by itself, with `Sec-Fetch-Site: same-origin`, and, from a browser that does not send that, with an `Origin` whose
 * host is that of the request or is listed. `factory` is the function that has the option `origins`.
 */
export function requireSameOrigin(request: ClientRequest, listed: ReadonlySet<string>, factory: string): void {
  if (/^bearer /i.test(request.header("authorization") ?? "")) return;
  const site = request.header("sec-fetch-site");
  const isSame = site === undefined ? hasOwnOrigin(request, listed) : site === "same-origin";
  if (isSame) return;
  throw new GatewayError(
    "origin_refused",
    `This change may come from a page of another site. Send a bearer token; or, if the host of this page differs from that of the request, list its origin in \`origins\` of ${factory}().`,
  );
}

function hasOwnOrigin(request: ClientRequest, listed: ReadonlySet<string>): boolean {
  const origin = request.header("origin");
  if (origin === undefined) return false;
  return listed.has(origin) || hostOf(origin) === request.header("host")?.toLowerCase();
}

/** Browsers leave the default port out of both headers. */
const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, "").toLowerCase();
