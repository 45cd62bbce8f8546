import type { Server } from "node:http";
import type { Gateway } from "@tollgate/core";

/** Refuses new requests, lets the running ones finish, and then closes the server. */
export async function shutDown(gateway: Gateway, server: Server): Promise<void> {
  await gateway.drain({ timeoutMs: 30_000 });
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Browsers connect ahead of requests, and Node counts such a connection as active for a minute.
  setTimeout(() => server.closeAllConnections(), 5_000).unref();
  await closed;
}
