import type { Socket } from "node:net";
import type { HttpMessage } from "../../http/http-message.ts";
import { responsesIn } from "./exchange.ts";

const everyMs = 5;
const pieceBytes = 2_048;

/** A client that reads 2 KB every 5 ms, and no more after `maxBytes` until it is told to read the rest. */
export class SlowReader {
  readonly #socket: Socket;
  readonly #received: Buffer[] = [];
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  /** Takes a paused connection on which a request was sent. */
  constructor(socket: Socket, maxBytes: number) {
    this.#socket = socket;
    this.#timer = setInterval(() => {
      if (this.#bytes < maxBytes) this.#keep(socket.read(pieceBytes));
    }, everyMs);
  }

  /** Reads the rest without a pause. Resolves with the response when the server has closed the connection. */
  async readRest(): Promise<HttpMessage | undefined> {
    clearInterval(this.#timer);
    for await (const chunk of this.#socket) this.#keep(chunk);
    return responsesIn(Buffer.concat(this.#received))[0];
  }

  #keep(chunk: Buffer | null): void {
    if (chunk === null) return;
    this.#received.push(chunk);
    this.#bytes += chunk.length;
  }
}
