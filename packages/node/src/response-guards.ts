import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayResponse, UnreadResponses } from "@tollgate/core/internal";

const lingerMs = 2_000;

/**
 * Lets a client read an answer that is sent before its request was read to the end. Closing at once would reset the
 * connection, and the answer would be lost with it, so the rest of the request is discarded for at most 2 s
 * (RFC 9112, section 9.6). A client that has finished sending by then keeps its connection.
 */
export function linger(req: IncomingMessage, res: ServerResponse): void {
  // HTTP/2 ends one stream without touching its connection.
  if (req.readableEnded || req.httpVersionMajor > 1) return;
  const closeAfterwards = isToClose(req, res);
  // With `Connection: close`, Node destroys the socket as soon as the answer is written.
  if (closeAfterwards && !req.complete) res.setHeader("connection", "keep-alive");
  res.once("finish", () => discardRest(req, closeAfterwards));
}

/** Whether the client, or the host on the response, has asked for the connection to be closed (RFC 9112, section 9.3). */
function isToClose({ headers, httpVersionMinor }: IncomingMessage, res: ServerResponse): boolean {
  const asked = headers.connection ?? "";
  if (close.test(asked) || close.test(String(res.getHeader("connection") ?? ""))) return true;
  return httpVersionMinor === 0 && !keepAlive.test(asked);
}

const close = /(?:^|,)\s*close\s*(?:,|$)/i;
const keepAlive = /(?:^|,)\s*keep-alive\s*(?:,|$)/i;

function discardRest(req: IncomingMessage, closeAfterwards: boolean): void {
  const { socket } = req;
  // Not its socket: what stands in for a request, as in Fastify's `inject`, has none that can be destroyed.
  const timer = setTimeout(() => req.destroy(), lingerMs);
  timer.unref();
  const isRead = () => clearTimeout(timer);
  req.once("end", isRead).once("close", isRead);
  if (closeAfterwards) req.once("end", () => socket.destroySoon());
  // A reader that gave up half-way keeps the request from flowing, so it is read here rather than resumed.
  req.on("readable", () => readAll(req));
}

function readAll(req: IncomingMessage): void {
  while (req.read() !== null);
}

/**
 * Counts what a response has written and its socket has not taken with the other unread answers, until the event that
 * says it was taken, so that it is cut when the client does not read it. Does nothing for a pipelined response that still
 * waits for its turn on the connection.
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

/** An answer whose `Vary` names also what the host has put there on the response, which it would otherwise replace. */
export function keepVary(answer: GatewayResponse, res: ServerResponse): GatewayResponse {
  const vary = answer.headers["vary"];
  const present = vary === undefined ? undefined : res.getHeader("vary");
  if (present === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, vary: [present, vary].flat().join(", ") } };
}
