import type { ServerResponse } from "node:http";
import {
  type GatewayResponse,
  isResponseStream,
  type ResponseStream,
  type UnreadResponses,
} from "@tollgate/core/internal";
import type { ByteSink } from "@tollgate/core/provider";
import { isWaiting, watchUnread } from "../mounted-request.ts";

/** Writes an answer to a node:http response. Headers that the host has set on the response are kept. */
export function writeAnswer(answer: GatewayResponse, res: ServerResponse, unread: UnreadResponses): void {
  const { status, headers, body } = unread.withBackpressure(answer);
  if (isResponseStream(body)) {
    new ResponseSink(res, body, unread).start(status, headers);
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

/** Removes the `connection` header for HTTP/2, which does not allow it (RFC 9113, section 8.2.2); Node would warn. */
function forVersion(res: ServerResponse, headers: GatewayResponse["headers"]): GatewayResponse["headers"] {
  if (res.req.httpVersionMajor === 1) return headers;
  const { connection: _, ...others } = headers;
  return others;
}

/** Writes a stream to a response without a queue. A chunk counts as taken once the response buffer has space. */
class ResponseSink implements ByteSink {
  readonly #res: ServerResponse;
  readonly #stream: ResponseStream;
  readonly #unread: UnreadResponses;

  constructor(res: ServerResponse, stream: ResponseStream, unread: UnreadResponses) {
    this.#res = res;
    this.#stream = stream;
    this.#unread = unread;
  }

  start(status: number, headers: GatewayResponse["headers"]): void {
    const res = this.#res;
    const cancel = () => this.#stream.cancel();
    // A host may end the response itself. Without an error listener, a later write would crash the process.
    res.on("close", cancel).on("error", cancel);
    res.on("drain", () => this.#stream.onDrain());
    try {
      res.writeHead(status, headers);
    } catch (cause) {
      cancel();
      throw cause;
    }
    // HTTP/2 responses share one socket, and those of workerd have none.
    const socket = res.req.httpVersionMajor === 1 ? (res.socket ?? null) : null;
    // A stream may be idle longer than the host's socket timeout. A mock response has no real socket.
    const isEndless = !("content-length" in headers);
    if (isEndless && socket !== null && "setKeepAlive" in socket) socket.setTimeout(0).setKeepAlive(true);
    // Flushed before the body but corked with it: otherwise Node would send the head in several pieces.
    socket?.cork();
    res.flushHeaders();
    this.#stream.pipeTo(this);
    socket?.uncork();
  }

  write(chunk: Uint8Array): void {
    // A host that wraps `write` may return undefined, which does not mean that the buffer is full.
    if (this.#res.write(chunk) !== false) this.#stream.onDrain();
  }

  close(): void {
    const res = this.#res;
    res.end();
    if (isWaiting(res)) watchUnread(res, this.#unread);
    else if (res.writableLength > 0 && res.socket !== null) this.#destroyWhenStalled();
  }

  /**
   * After `end`, nothing else watches the remaining bytes. Without a timeout, a client that does not read would hold
   * the connection forever.
   */
  #destroyWhenStalled(): void {
    const timer = setTimeout(() => this.fail(), this.#stream.stalledMs);
    timer.unref();
    this.#res.once("close", () => clearTimeout(timer));
  }

  /** Destroys the response without a regular end, so that the client can detect the failure. */
  fail(): void {
    this.#res.destroy();
  }
}
