import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An answer as Hono's own Response, with the headers that earlier middleware set; later middleware may still change it. */
export async function asHonoResponse(c: Context, response: Response): Promise<Response> {
  const { status, headers } = response;
  const own = Object.fromEntries(headers);
  if (status === noContent) return c.newResponse(null, status, own);
  if (!hasContent(status)) return response;
  // A text costs @hono/node-server much less than a stream, and a whole answer has a length.
  const body = headers.has("content-length") ? await response.text() : response.body;
  return c.newResponse(body, status, own);
}

const noContent = 204;

const hasContent = (status: number): status is ContentfulStatusCode =>
  status >= 200 && status !== noContent && status !== 304;
