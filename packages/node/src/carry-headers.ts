import type { ServerResponse } from "node:http";

/** Reply headers in the form that frameworks hold them. */
type ReplyHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Copies the headers that a framework holds for its reply, such as CORS headers, to the node:http response. */
export function carryHeaders(headers: ReplyHeaders, res: ServerResponse): void {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) res.setHeader(name, value);
  }
}
