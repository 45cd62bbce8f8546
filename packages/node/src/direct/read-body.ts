import type { IncomingMessage } from "node:http";
import type { BodyReceiver, BodySource } from "@tollgate/core/internal";
import { runAfterPoll } from "../upstream-body.ts";

/**
 * Reads the body of a request. Resolves the receiver with its bytes, or with undefined if there are more than
 * `maxBytes`; the rest then stays unread. Most bodies arrive with their head and are complete after one socket read:
 * these are taken in one piece, without listeners.
 */
export function readBody(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver): void {
  if (isFlowing(req)) {
    new BodyReader(req, maxBytes, receiver);
    return;
  }
  // Node discards the body of a request that nobody has tried to read. This read prevents that.
  if (!req.complete) req.read(0);
  process.nextTick(wait, req, maxBytes, receiver);
}

/** Checks again: the host may have added a listener in the meantime, which makes the body flow. */
function wait(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver): void {
  if (isFlowing(req)) new BodyReader(req, maxBytes, receiver);
  // Node reports the end of a body some ticks after its bytes.
  else runAfterPoll(() => take(req, maxBytes, receiver));
}

function take(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver): void {
  if (!isComplete(req)) {
    new BodyReader(req, maxBytes, receiver);
    return;
  }
  const data: Buffer | string | null = req.read();
  const body = toBytes(req, data ?? "");
  receiver.resolve(body.length > maxBytes ? undefined : body);
}

const isFlowing = (req: IncomingMessage): boolean => req.readableFlowing !== null || req.destroyed;

/** HTTP/2 also sets `complete` for an aborted request, so only HTTP/1 counts. */
function isComplete(req: IncomingMessage): boolean {
  return req.complete && req.httpVersionMajor === 1 && !isFlowing(req);
}

/** Converts a chunk of the body to bytes. It is a string if the host has set an encoding on the request. */
export const toBytes = (req: IncomingMessage, data: Buffer | string): Buffer =>
  typeof data === "string" ? Buffer.from(data, req.readableEncoding ?? "utf8") : data;

/** Collects the body until it ends, fails, exceeds `maxBytes` or is stopped. Later bytes stay unread. */
export class BodyReader implements BodySource {
  readonly #req: IncomingMessage;
  readonly #maxBytes: number;
  #length = 0;
  #chunks: Buffer[] = [];
  readonly #receiver: BodyReceiver;

  constructor(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver) {
    this.#req = req;
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
    receiver.open(this);
    req.on("data", this.#take).on("end", this.#end).on("close", this.#breakOff);
    if (req.destroyed) this.#breakOff();
  }

  resume(): void {
    this.#req.resume();
  }

  stop(): void {
    this.#leave();
    this.#req.pause();
    this.#chunks = [];
  }

  readonly #take = (data: Buffer | string): void => {
    const chunk = toBytes(this.#req, data);
    this.#length += chunk.length;
    this.#chunks.push(chunk);
    if (this.#length > this.#maxBytes) {
      this.#req.pause();
      this.#finish(undefined);
    } else if (!this.#receiver.take(chunk.length)) this.#req.pause();
  };

  readonly #end = (): void => this.#finish(this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks));

  readonly #breakOff = (): void => {
    this.#leave();
    this.#receiver.reject(new Error("The client closed the connection before the request was complete."));
  };

  #finish(body: Uint8Array | undefined): void {
    this.#leave();
    runAfterPoll(() => this.#receiver.resolve(body));
  }

  /** Removes the listeners, so that the request does not keep the body or this reader in memory. */
  #leave(): void {
    this.#req.off("data", this.#take).off("end", this.#end).off("close", this.#breakOff);
  }
}
