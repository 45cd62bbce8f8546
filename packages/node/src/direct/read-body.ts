import type { IncomingMessage } from "node:http";
import type { BodyReceiver } from "@tollgate/core/internal";
import { runAfterPoll } from "../run-after-poll.ts";
import { BodyReader, toBytes } from "./body-reader.ts";

/**
 * Reads the bytes of a request's body, as long as they are not too many; the rest is left unread.
 * Most bodies come with their head: what is whole once the socket has been read is taken in one piece, without listeners.
 */
export function readBody(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver): void {
  if (flows(req)) {
    new BodyReader(req, maxBytes, receiver);
    return;
  }
  // Node takes a request that never asked its socket for bytes for one that nobody reads, and empties it in the end.
  if (!req.complete) req.read(0);
  process.nextTick(wait, req, maxBytes, receiver);
}

/** What the host listens to, be it since this very turn, flows before anything else is done. */
function wait(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver): void {
  if (flows(req)) new BodyReader(req, maxBytes, receiver);
  // Node tells of the end of a body some ticks after its bytes.
  else runAfterPoll(() => take(req, maxBytes, receiver));
}

function take(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver): void {
  if (!isWhole(req)) {
    new BodyReader(req, maxBytes, receiver);
    return;
  }
  const given: Buffer | string | null = req.read();
  const body = toBytes(req, given ?? empty);
  receiver.resolve(body.length > maxBytes ? undefined : body);
}

const flows = (req: IncomingMessage): boolean => req.readableFlowing !== null || req.destroyed;

const empty = Buffer.alloc(0);

/** HTTP/2 also calls a request complete that was broken off. */
function isWhole(req: IncomingMessage): boolean {
  return req.complete && req.httpVersionMajor === 1 && !flows(req);
}
