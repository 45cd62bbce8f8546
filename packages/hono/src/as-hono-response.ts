import { type GatewayResponse, toWebContent } from "@tollgate/core/internal";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The parts of a response. */
interface Parts extends Pick<GatewayResponse, "status" | "headers"> {
  readonly body: Response["body"] | ReturnType<typeof toWebContent>;
}

/** Converts an answer to a Response with the headers that earlier middleware set. Later middleware can still change it. */
export function asHonoResponse(c: Context, { status, headers, body }: GatewayResponse): Response {
  return merge(c, { status, headers, body: toWebContent(body) });
}

/** Adds the headers that earlier middleware set to a Response of `fetch`. Hono alone would drop them. */
export function mergeResponse(c: Context, { status, headers, body }: Response): Response {
  return merge(c, { status, headers: Object.fromEntries(headers), body });
}

function merge(c: Context, { status, headers: own, body }: Parts): Response {
  const headers = own["vary"] === undefined ? own : withVary(c, own);
  if (body === null || !hasContent(status)) return c.newResponse(null, noContent, headers);
  // `c.newResponse` builds a Headers object, the most expensive step here, so it is used only to merge headers.
  return hasHeaders(c) ? c.newResponse(body, status, headers) : new Response(body, { status, headers });
}

/** Returns true if earlier middleware set a header. Hono exposes them only through a new response. */
function hasHeaders(c: Context): boolean {
  return c.newResponse(null).headers.keys().next().done !== true;
}

/** Merges `Vary` with that of earlier middleware, which Hono would replace. */
function withVary(c: Context, headers: GatewayResponse["headers"]): Record<string, string> {
  const present = c.newResponse(null).headers.get("vary");
  return { ...headers, ...(present === null ? {} : { vary: `${present}, ${headers["vary"]}` }) };
}

const noContent = 204;

const hasContent = (status: number): status is ContentfulStatusCode =>
  status >= 200 && status !== noContent && status !== 304;
