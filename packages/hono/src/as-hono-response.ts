import { type Answer, toWebContent } from "@tollgate/core";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An answer as Hono's own Response, with the headers that earlier middleware set; later middleware may still change it. */
export function asHonoResponse(c: Context, answer: Answer): Response {
  const { status, body } = answer;
  const headers = answer.headers["vary"] === undefined ? answer.headers : withVary(c, answer.headers);
  if (body === null || !hasContent(status)) return c.newResponse(null, noContent, headers);
  const content = toWebContent(body);
  // Hono puts several headers into a Headers, which costs more than all else here, also when there is nothing to merge them with.
  return hasHeaders(c) ? c.newResponse(content, status, headers) : new Response(content, { status, headers });
}

/** Whether earlier middleware has set a header; Hono tells by what it would answer now. */
function hasHeaders(c: Context): boolean {
  return c.newResponse(null).headers.keys().next().done !== true;
}

/** Hono would replace the `Vary` of earlier middleware. */
function withVary(c: Context, headers: Answer["headers"]): Record<string, string> {
  const present = c.newResponse(null).headers.get("vary");
  return { ...headers, ...(present === null ? {} : { vary: `${present}, ${headers["vary"]}` }) };
}

const noContent = 204;

const hasContent = (status: number): status is ContentfulStatusCode =>
  status >= 200 && status !== noContent && status !== 304;
