import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as a node:http server received it, with an unread body, and the client's connection. */
export interface Received {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly client: Socket;
}

/** Sends bytes to a new server, which closes after the test. `take` is called for every request in them. */
export async function receive(bytes: string, take: RequestListener = () => undefined): Promise<Received> {
  const server = createServer(take).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server is not listening on a port.");
  const client = connect(address.port, "127.0.0.1");
  // The server may reset the connection.
  client.on("error", () => undefined);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write(bytes);
  return new Promise((resolve) => server.once("request", (req, res) => resolve({ req, res, client })));
}

/** The bytes of a POST request. By default it has a Content-Length header. */
export function post(body = "", headers: readonly string[] = [`content-length: ${Buffer.byteLength(body)}`]): string {
  return `POST /v1/chat HTTP/1.1\r\nhost: gateway.test\r\n${headers.map((each) => `${each}\r\n`).join("")}\r\n${body}`;
}

/** One chunk of a body with chunked coding, without the last chunk. */
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
