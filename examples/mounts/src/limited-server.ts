import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";

/** Creates a server for `nodeHandler`, an Express app, or `getRequestListener(app.fetch)` of Hono. */
export function limitedServer(listener: RequestListener, options: ServerOptions = {}): Server {
  const server = createServer({ headersTimeout: 30_000, requestTimeout: 120_000, ...options }, listener);
  server.maxConnections = 20_000;
  return server;
}
