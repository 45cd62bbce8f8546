import { type GatewayResponse, toWebContent } from "@tollgate/core/internal";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** What Hono makes a Response of. */
interface Parts extends Pick<GatewayResponse, "status" | "headers"> {
  readonly body: Response["body"] | ReturnType<typeof toWebContent>;
}

/** An answer as Hono's own Response, with the headers that earlier middleware set; later middleware may still change it. */
export function asHonoResponse(c: Context, { status, headers, body }: GatewayResponse): Response {
  return merge(c, { status, headers, body: toWebContent(body) });
}

/** The same of the Response of `fetch`: Hono would drop what earlier middleware set in favour of it. */
export function mergeResponse(c: Context, { status, headers, body }: Response): Response {
  return merge(c, { status, headers: Object.fromEntries(headers), body });
}

function merge(c: Context, { status, headers: own, body }: Parts): Response {
  const headers = own["vary"] === undefined ? own : withVary(c, own);
  if (body === null || !hasContent(status)) return c.newResponse(null, noContent, headers);
  // Hono puts several headers into a Headers, which costs more than all else here, also when there is nothing to merge them with.
  return hasHeaders(c) ? c.newResponse(body, status, headers) : new Response(body, { status, headers });
}

/** Whether earlier middleware has set a header; Hono tells by what it would answer now. */
function hasHeaders(c: Context): boolean {
  return c.newResponse(null).headers.keys().next().done !== true;
}

/** Hono would replace the `Vary` of earlier middleware. */
function withVary(c: Context, headers: GatewayResponse["headers"]): Record<string, string> {
  const present = c.newResponse(null).headers.get("vary");
  return { ...headers, ...(present === null ? {} : { vary: `${present}, ${headers["vary"]}` }) };
}

const noContent = 204;

const hasContent = (status: number): status is ContentfulStatusCode =>
  status >= 200 && status !== noContent && status !== 304;
