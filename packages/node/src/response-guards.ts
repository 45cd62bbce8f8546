import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayResponse, UnreadResponses } from "@tollgate/core/internal";

const lingerMs = 2_000;

/**
 * Prevents the loss of a response that is sent before the whole request was read. Closing at once would reset the
 * connection before the client has read the response, so the rest of the request is discarded for at most 2 s
 * (RFC 9112, section 9.6). If the client has finished sending by then, the connection stays open.
 */
export function linger(req: IncomingMessage, res: ServerResponse): void {
  // HTTP/2 can close one stream without its connection.
  if (req.readableEnded || req.httpVersionMajor > 1) return;
  const closeAfterwards = mustClose(req, res);
  // With `Connection: close`, Node destroys the socket as soon as the answer is written.
  if (closeAfterwards && !req.complete) res.setHeader("connection", "keep-alive");
  res.once("finish", () => discardRest(req, closeAfterwards));
}

/**
 * Whether the client or the host has requested that the connection be closed (RFC 9112, section 9.3).
 */
function mustClose({ headers, httpVersionMinor }: IncomingMessage, res: ServerResponse): boolean {
  const requested = headers.connection ?? "";
  if (close.test(requested) || close.test(String(res.getHeader("connection") ?? ""))) return true;
  return httpVersionMinor === 0 && !keepAlive.test(requested);
}

const close = /(?:^|,)\s*close\s*(?:,|$)/i;
const keepAlive = /(?:^|,)\s*keep-alive\s*(?:,|$)/i;

function discardRest(req: IncomingMessage, closeAfterwards: boolean): void {
  const { socket } = req;
  // Not `socket.destroy`: a mock request, such as that of Fastify's `inject`, has no socket that can be destroyed.
  const timer = setTimeout(() => req.destroy(), lingerMs);
  timer.unref();
  const isRead = () => clearTimeout(timer);
  req.once("end", isRead).once("close", isRead);
  if (closeAfterwards) req.once("end", () => socket.destroySoon());
  // A reader that stopped early can keep the request from flowing, so `read` is called instead of `resume`.
  req.on("readable", () => readAll(req));
}

function readAll(req: IncomingMessage): void {
  while (req.read() !== null);
}

/**
 * Registers the bytes that a response has buffered with the gateway's count of unread bytes, until the `taken` event or
 * "close". The gateway destroys the response if the client does not read it. Does nothing for a pipelined response that
 * still waits for its connection.
 */
export function watchUnread(res: ServerResponse, unread: UnreadResponses, taken: "finish" | "drain" = "finish"): void {
  if (res.writableLength === 0 || res.socket === null) return;
  const isRead = unread.watch(res.writableLength, () => res.destroy());
  const done = () => {
    res.off(taken, done).off("close", done);
    isRead();
  };
  res.on(taken, done).on("close", done);
}

/** Adds the `Vary` values that the host has set on the response to those of the answer, which would replace them. */
export function keepVary(answer: GatewayResponse, res: ServerResponse): GatewayResponse {
  const vary = answer.headers["vary"];
  const present = vary === undefined ? undefined : res.getHeader("vary");
  if (present === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, vary: [present, vary].flat().join(", ") } };
}
