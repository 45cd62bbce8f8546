import type { ServerResponse } from "node:http";
import {
  type GatewayResponse,
  isResponseStream,
  type ResponseStream,
  type UnreadResponses,
} from "@tollgate/core/internal";
import type { ByteSink } from "@tollgate/core/provider";
import { watchUnread } from "../response-guards.ts";

/** Sends an answer through a response of node:http. Headers that the host has set on it stay. */
export function writeAnswer(answer: GatewayResponse, res: ServerResponse, unread: UnreadResponses): void {
  const { status, headers, body } = unread.paced(answer);
  if (isResponseStream(body)) {
    new ResponseSink(res, body).start(status, headers);
    return;
  }
  res.writeHead(status, status === 408 ? forVersion(res, headers) : headers);
  if (body === null) {
    res.end();
    return;
  }
  res.end(body);
  watchUnread(res, unread);
}

/** HTTP/2 has no header of this name (RFC 9113, section 8.2.2), and Node would warn of it. */
function forVersion(res: ServerResponse, headers: GatewayResponse["headers"]): GatewayResponse["headers"] {
  if (res.req.httpVersionMajor === 1) return headers;
  const { connection: _, ...others } = headers;
  return others;
}

/** Writes a stream to a response, with no queue of its own: what the socket has room for counts as taken. */
class ResponseSink implements ByteSink {
  readonly #res: ServerResponse;
  readonly #stream: ResponseStream;

  constructor(res: ServerResponse, stream: ResponseStream) {
    this.#res = res;
    this.#stream = stream;
  }

  start(status: number, headers: GatewayResponse["headers"]): void {
    const res = this.#res;
    const cancel = () => this.#stream.cancel();
    // A host may end the response itself; without a listener what is written after that would end its process.
    res.on("close", cancel).on("error", cancel);
    res.on("drain", () => this.#stream.onDrain());
    try {
      res.writeHead(status, headers);
    } catch (cause) {
      cancel();
      throw cause;
    }
    // HTTP/2 has no socket of its own for each answer.
    const socket = res.req.httpVersionMajor === 1 ? res.socket : null;
    // A stream may be silent for longer than the host lets connections be. What stands in for a response has no real socket.
    const isEndless = !("content-length" in headers);
    if (isEndless && socket !== null && "setKeepAlive" in socket) socket.setTimeout(0).setKeepAlive(true);
    // By itself, though together with what follows: else Node would keep the head in as many pieces as it was made of.
    socket?.cork();
    res.flushHeaders();
    this.#stream.pipeTo(this);
    socket?.uncork();
  }

  write(chunk: Uint8Array): void {
    // Of a host that wraps `write`, undefined is no "full".
    if (this.#res.write(chunk) !== false) this.#stream.onDrain();
  }

  close(): void {
    const res = this.#res;
    res.end();
    // A pipelined response that has no connection yet waits for its turn, and not for its client.
    if (res.writableLength > 0 && res.socket !== null) this.#cutWhenStalled();
  }

  /** What the socket has no room for at the end is watched by nobody else, and would keep the connection for ever. */
  #cutWhenStalled(): void {
    const timer = setTimeout(() => this.fail(), this.#stream.stalledMs);
    timer.unref();
    this.#res.once("close", () => clearTimeout(timer));
  }

  /** Breaks the connection off, so that the client sees no proper end. */
  fail(): void {
    this.#res.destroy();
  }
}
