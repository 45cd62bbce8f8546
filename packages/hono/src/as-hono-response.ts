import { type GatewayResponse, toWebContent } from "@tollgate/core/internal";
import type { Context } from "hono";
import type { ContentfulStatusCode, StatusCode } from "hono/utils/http-status";

/** Converts an answer to a Response with the headers that earlier middleware set. Later middleware can still change it. */
export function asHonoResponse(c: Context, { status, headers, body }: GatewayResponse): Response {
  return merge(c, status, headers, toWebContent(body));
}

/** Adds the headers that earlier middleware set to a Response of `fetch`. Hono alone would drop them. */
export function mergeResponse(c: Context, { status, headers, body }: Response): Response {
  return merge(c, status, Object.fromEntries(headers), body);
}

type Content = Response["body"] | ReturnType<typeof toWebContent>;

function merge(c: Context, status: number, own: GatewayResponse["headers"], body: Content): Response {
  // Hono exposes the headers that earlier middleware set only through a new response.
  const present = c.newResponse(null).headers;
  const vary = own["vary"] === undefined ? null : present.get("vary");
  // Hono would replace the `Vary` of earlier middleware.
  const headers = vary === null ? own : { ...own, vary: `${vary}, ${own["vary"]}` };
  if (body === null || !hasContent(status)) return c.newResponse(null, isEmpty(status) ? status : 204, headers);
  // `c.newResponse` builds a Headers object, the most expensive step here, so it is used only to merge headers.
  const isMerged = present.keys().next().done !== true;
  return isMerged ? c.newResponse(body, status, headers) : new Response(body, { status, headers });
}

/** True for the statuses of a response without a body: a redirect, 304, or an error of the host's `authorize`. */
const isEmpty = (status: number): status is StatusCode => status >= 300 && status <= 599;

const hasContent = (status: number): status is ContentfulStatusCode =>
  status >= 200 && status !== 204 && status !== 304;
