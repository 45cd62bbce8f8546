import type { ServerResponse } from "node:http";

/** Headers as frameworks keep them for a reply. */
type ReplyHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Sets the headers that a framework keeps for its own reply, such as those of CORS, on the response of node:http. */
export function carryHeaders(headers: ReplyHeaders, res: ServerResponse): void {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) res.setHeader(name, value);
  }
}
