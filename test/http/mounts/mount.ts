import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Mountable } from "@tollgate/core";

/** What stands in front of the gateway: nothing, the framework's body parsers, or compression, helmet and CORS. */
export type Variant = "plain" | "parsed" | "dressed";

/** What is mounted, by the prefix that it is under; "" is the root. */
export type Gateways = Readonly<Record<string, Mountable>>;

/** A running server with gateways in it, and two answers of its own: GET `<prefix>/own`, and 404 for the rest. */
export interface Host {
  readonly port: number;
  /** Resolves when no connection is left; closes idle ones only. */
  close(): Promise<void>;
}

/** What an adapter does beside the gateway: refuse two keys, find the path of a URL with a host in it, and let a client read an answer that came before its request was read to the end. */
export type Duty = "two keys" | "absolute form" | "linger";

/** One way of mounting gateways in a server. */
export interface Mount {
  readonly name: string;
  /** What it does not do, each with the reason. */
  readonly without?: Partial<Readonly<Record<Duty, string>>>;
  start(gateways: Gateways, variant: Variant): Promise<Host>;
}

/** What may carry chat completions in an adapter. */
export const edges = ["direct", "fetch"] as const;

/** One of them. */
export type Edge = (typeof edges)[number];

/** Marks what the host answers itself. */
export const hostMark = { "x-answered-by": "host" };

/** What a parser of the host may read, far more than the gateways accept. */
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
    close: async () => {
      const closed = once(server, "close");
      server.close();
      // A client that aborts opens a connection for its next request, which the server does not count as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      await closed;
    },
  };
}
