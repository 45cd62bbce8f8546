import type { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";

/** Breaks the client's connection off when the body of a streamed answer fails, and ends the body when the client has left before it. */
export function closeTogether(response: Response, res: ServerResponse): void {
  // A whole answer has a length; asking it for a stream would make one.
  if (response.headers.has("content-length")) return;
  const { body } = response;
  if (body === null) return;
  if (isNodeStream(body)) breakOffWith(body, res);
  if (res.destroyed) body.cancel().catch(() => undefined);
}

const isNodeStream = (body: object): body is EventEmitter => "on" in body;

/** A body that fails may close without an error event, and `pipe` then leaves the response open. */
function breakOffWith(body: EventEmitter, res: ServerResponse): void {
  // Without a listener an error event would end the process; "close" follows it.
  body.on("error", () => undefined);
  body.on("close", () => res.writableEnded || res.destroy());
}
