import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";

/**
 * Ends the listening of a server on 127.0.0.1 and keeps its port by one connection, until all its connections are closed.
 * A free port is given to whatever listens next, and that would answer where nothing should.
 */
export async function stopListening(server: Server): Promise<void> {
  const accepted = once(server, "connection");
  // It sees its end only when it reads.
  connect(portOf(server), "127.0.0.1")
    .on("error", () => undefined)
    .resume();
  await accepted;
  server.close();
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The system gave no port. Run the tests again.");
  return address.port;
}
