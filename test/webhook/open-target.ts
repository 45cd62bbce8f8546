import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { onTestFinished } from "vitest";
import { certificate, certificateKey } from "./certificate.ts";

/** Starts an HTTP server on loopback until the test has finished, and returns its port. */
export async function openTarget(listener: RequestListener, host = "127.0.0.1"): Promise<number> {
  return closedAfterwards(createServer(listener), host);
}

/** Starts an HTTPS server with a self-signed certificate, and returns its port. */
export async function openTlsTarget(listener: RequestListener): Promise<number> {
  return closedAfterwards(createTlsServer({ cert: certificate, key: certificateKey }, listener), "127.0.0.1");
}

/** Starts a TCP server whose connections the test handles, and returns its port. */
export async function openSocketTarget(accept: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    accept(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return closedAfterwards(server, "127.0.0.1");
}

async function closedAfterwards(server: TcpServer | Server, host: string): Promise<number> {
  onTestFinished(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port. Run the tests again.");
  return address.port;
}
