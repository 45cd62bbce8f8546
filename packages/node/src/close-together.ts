import type { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";

/** Breaks the client's connection off when the body of a streamed answer fails, and ends the body when the client has left before it. */
export function closeTogether(response: Response, res: ServerResponse): void {
  // A whole answer has a length; asking it for a stream would make one.
  if (response.headers.has("content-length")) return;
  const { body } = response;
  if (body === null) return;
  // Without a listener the failure of a Node stream would end the process.
  if (isNodeStream(body)) body.on("error", () => res.destroy());
  if (res.destroyed) body.cancel().catch(() => undefined);
}

const isNodeStream = (body: object): body is EventEmitter => "on" in body;
