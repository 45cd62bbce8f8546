import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";

/** A test server on a free loopback port. */
export interface Upstream {
  readonly baseURL: string;
  readonly sockets: ReadonlySet<Socket>;
  /** The number of connections since the start. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts an HTTP server that answers with `answer`. */
export const httpUpstream = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Upstream> =>
  listen(createServer(answer));

/** Starts a server of raw sockets. */
export const socketUpstream = (connected: (socket: Socket) => void): Promise<Upstream> =>
  listen(createSocketServer(connected));

async function listen(server: Server): Promise<Upstream> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseURL: `http://127.0.0.1:${portOf(server)}/v1`,
    sockets,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return address.port;
}
