import { type GatewayResponse, toWebContent } from "@tollgate/core/internal";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An answer as Hono's own Response, with the headers that earlier middleware set; later middleware may still change it. */
export function asHonoResponse(c: Context, { status, headers, body }: GatewayResponse): Response {
  return merge(c, status, headers, toWebContent(body));
}

/** The same of the Response of `fetch`: Hono would drop what earlier middleware set in favour of it. */
export function mergeResponse(c: Context, { status, headers, body }: Response): Response {
  return merge(c, status, Object.fromEntries(headers), body);
}

type Content = Response["body"] | ReturnType<typeof toWebContent>;

function merge(c: Context, status: number, own: GatewayResponse["headers"], body: Content): Response {
  // Hono tells what earlier middleware has set by what it would answer now.
  const present = c.newResponse(null).headers;
  const vary = own["vary"] === undefined ? null : present.get("vary");
  // Hono would replace the `Vary` of earlier middleware.
  const headers = vary === null ? own : { ...own, vary: `${vary}, ${own["vary"]}` };
  if (body === null || !hasContent(status)) return c.newResponse(null, 204, headers);
  // Hono puts several headers into a Headers, which costs more than all else here, also when there is nothing to merge them with.
  const isMerged = present.keys().next().done !== true;
  return isMerged ? c.newResponse(body, status, headers) : new Response(body, { status, headers });
}

const hasContent = (status: number): status is ContentfulStatusCode =>
  status >= 200 && status !== 204 && status !== 304;
