import type { IncomingMessage } from "node:http";
import type { BodyReceiver, BodySource } from "@tollgate/core/internal";
import { runAfterPoll } from "../run-after-poll.ts";

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
