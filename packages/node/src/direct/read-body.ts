import type { IncomingMessage } from "node:http";
import type { BodyReceiver, BodySource } from "@tollgate/core/internal";
import { runAfterPoll } from "../run-after-poll.ts";

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

/** What a request gave of its body, as bytes: it gives text when the host has set an encoding on it. */
export const toBytes = (req: IncomingMessage, given: Buffer | string): Buffer =>
  typeof given === "string" ? Buffer.from(given, req.readableEncoding ?? "utf8") : given;

/** Gathers the body of a request until it ends, breaks off, has too many bytes or is stopped; the rest is then left unread. */
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

  readonly #take = (given: Buffer | string): void => {
    const chunk = toBytes(this.#req, given);
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
    this.#receiver.reject(new Error("The request was broken off."));
  };

  #finish(body: Uint8Array | undefined): void {
    this.#leave();
    runAfterPoll(() => this.#receiver.resolve(body));
  }

  /** A request that lives on keeps neither its body nor this. */
  #leave(): void {
    this.#req.off("data", this.#take).off("end", this.#end).off("close", this.#breakOff);
  }
}
