import { connect } from "node:net";
import { type HttpMessage, parseHttpMessage } from "../../http/http-message.ts";

/**
 * Sends bytes on a new connection and resolves with its responses when the server has closed it. Rejects if it stays open for
 * 60 s.
 */
export function exchange(
  port: number,
  bytes: string | Buffer | readonly Buffer[],
  halfOpen = false,
): Promise<readonly HttpMessage[]> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: halfOpen }, () => {
      for (const part of Array.isArray(bytes) ? bytes : [bytes]) socket.write(part);
      if (halfOpen) socket.end();
    });
    const timer = setTimeout(() => {
      reject(new Error(`The connection stays open after:\n${Buffer.concat(received).toString("latin1", 0, 2_000)}`));
      socket.destroy();
    }, 60_000);
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    // A reset is a way to close.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(responsesIn(Buffer.concat(received)));
    });
    if (halfOpen) socket.on("end", () => socket.destroy());
  });
}

/** Returns the responses in the bytes of a connection, of which the last may be incomplete. */
export function responsesIn(bytes: Buffer): HttpMessage[] {
  const first = parseHttpMessage(bytes);
  return first === undefined ? [] : [first, ...responsesIn(bytes.subarray(first.length))];
}
