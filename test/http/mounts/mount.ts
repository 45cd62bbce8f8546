import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Mountable } from "@tollgate/core";

/** What runs before the gateway: nothing, the framework's body parsers, or compression, helmet and CORS middleware. */
export type Variant = "plain" | "parsed" | "middleware";

/** The mounted gateways by prefix; "" is the root. */
export type Gateways = Readonly<Record<string, Mountable>>;

/** A running server with mounted gateways. It answers GET `<prefix>/own` itself, and all other paths with 404. */
export interface Host {
  readonly port: number;
  /** The number of open connections. */
  connections(): number;
  /** Closes idle connections and resolves when all connections are closed. */
  close(): Promise<void>;
}

/**
 * Optional capabilities of a mount: it rejects duplicate Authorization headers, accepts a request target in absolute form,
 * closes connections with a delay, so that a client can read a response that was sent before its body was read, and counts
 * the bytes of pipelined responses that wait for the ones before them.
 */
export type Capability = "duplicate authorization" | "absolute form" | "lingering close" | "pipelined responses";

/** A way to mount gateways in a server. */
export interface Mount {
  readonly name: string;
  /** The capabilities that it lacks, each with the reason. */
  readonly without?: Partial<Readonly<Record<Capability, string>>>;
  start(gateways: Gateways, variant: Variant): Promise<Host>;
}

/** The values of the option `edge`. */
export const edges = ["direct", "fetch"] as const;

/** A value of the option `edge`. */
export type Edge = (typeof edges)[number];

/** The header of responses of the host itself. */
export const hostMark = { "x-answered-by": "host" };

/** The limit of the host's parsers, which is far higher than that of the gateways. */
export const parserLimit = 64 * 1024 * 1024;

/** Starts a server of node:http on a free port. */
export async function listen(server: Server): Promise<Host> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return {
    port: address.port,
    connections: () => sockets.size,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      // A client that aborts may open another connection, which the server does not count as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      await closed;
    },
  };
}
