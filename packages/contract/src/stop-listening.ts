import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";

/**
 * Makes a server on 127.0.0.1 stop listening, and keeps its port occupied by one connection until all its connections
 * are closed. The system could otherwise give the port to another server, which would respond.
 */
export async function stopListening(server: Server): Promise<void> {
  const accepted = once(server, "connection");
  // The connection is notified of its end only when it reads.
  connect(portOf(server), "127.0.0.1")
    .on("error", () => undefined)
    .resume();
  await accepted;
  server.close();
}

/** Returns the port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port. Run the tests again.");
  return address.port;
}
