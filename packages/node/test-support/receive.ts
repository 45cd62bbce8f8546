import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as a server of node:http got it, with nothing of its body read, and the connection that it came from. */
export interface Received {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly client: Socket;
}

/** Sends bytes to a server of their own, which ends with the test. `take` is told of every request in them. */
export async function receive(bytes: string, take: RequestListener = () => undefined): Promise<Received> {
  const server = createServer(take).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  const client = connect(address.port, "127.0.0.1");
  // A reset is one way for the server to break off.
  client.on("error", () => undefined);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write(bytes);
  return new Promise((resolve) => server.once("request", (req, res) => resolve({ req, res, client })));
}

/** The bytes of a POST; a body without a header that tells of it has a Content-Length. */
export function post(body = "", headers: readonly string[] = [`content-length: ${Buffer.byteLength(body)}`]): string {
  return `POST /v1/chat HTTP/1.1\r\nhost: gateway.test\r\n${headers.map((each) => `${each}\r\n`).join("")}\r\n${body}`;
}

/** A body in one chunk of the chunked coding, with no end. */
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
