import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ClientSignal } from "@tollgate/core/internal";
import { Cancellation } from "@tollgate/core/provider";

/** Aborts when a response closes before all of it was sent. */
export class ResponseSignal extends Cancellation implements ClientSignal {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    super();
    this.#res = res;
    // The client may have left while the host was at work before the gateway.
    this.aborted = res.destroyed;
    res.on("close", () => this.lookAfterClose());
    // Node gives a connection to the answers of pipelined requests one by one, and of its end tells only the one that has it.
    if (res.socket === null && !this.aborted) hearOf(res.req.socket, this, res);
  }

  /** The response, or the connection that it waits for, has closed. */
  lookAfterClose(): void {
    // HTTP/2 calls a response finished that was reset.
    if (!this.#res.writableEnded || !this.#res.writableFinished) this.abort(undefined);
  }
}

/** Those that wait for a connection, in one listener: a client may pipeline more of them than an emitter takes without a warning. */
const waiting = new WeakMap<Socket, Set<ResponseSignal>>();

function hearOf(socket: Socket, signal: ResponseSignal, res: ServerResponse): void {
  const signals = waiting.get(socket) ?? listenTo(socket);
  signals.add(signal);
  res.once("close", () => signals.delete(signal));
}

function listenTo(socket: Socket): Set<ResponseSignal> {
  const signals = new Set<ResponseSignal>();
  waiting.set(socket, signals);
  socket.once("close", () => {
    for (const signal of signals) signal.lookAfterClose();
  });
  return signals;
}
