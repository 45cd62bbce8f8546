import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Gateway } from "@tollgate/core";

const host = "127.0.0.1";

/** A listening server and its address. */
export interface Listening {
  readonly server: Server;
  /** Host and port. The port is present even if it is the default of the scheme. */
  readonly authority: string;
  readonly origin: string;
}

/**
 * Listens on the loopback interface and returns the server with its address. Port 0 chooses any free port. The caller must
 * add its request listener before it awaits anything else.
 */
export async function listen(port: number): Promise<Listening> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const authority = `${host}:${isAddress(address) ? address.port : port}`;
  return { server, authority, origin: `http://${authority}` };
}

/** Parses a port. Returns `fallback` if the text is absent or empty, and throws if it is not a port. */
export function readPort(text: string | undefined, fallback: number): number {
  if (text === undefined || text === "") return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT is "${text}". Set it to an integer from 0 to 65535.`);
}

/** Lets running requests finish, closes the server, and resolves when all connections are closed. */
export async function stop(gateway: Gateway, server: Server): Promise<void> {
  await gateway.drain({ timeoutMs: 10_000 });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 1_000);
  await closed;
  clearTimeout(timer);
}

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === "object" && address !== null;
