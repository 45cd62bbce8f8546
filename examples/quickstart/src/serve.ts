import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Gateway } from "@tollgate/core";

const host = "127.0.0.1";

/** A server, and where it is. */
export interface Listening {
  readonly server: Server;
  /** Host and port, also one that `origin` would imply. */
  readonly authority: string;
  readonly origin: string;
}

/**
 * Listens on this machine alone and gives back the server with its address; port 0 takes any free one. Whoever called
 * it must give it its listener in the same turn.
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

/** The port that a text names, or `fallback` for none; throws for what is no port. */
export function readPort(text: string | undefined, fallback: number): number {
  if (text === undefined || text === "") return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`PORT is "${text}". Set it to a whole number from 0 to 65535.`);
}

/** Lets the running requests finish, closes the server, and resolves when no connection is left. */
export async function stop(gateway: Gateway, server: Server): Promise<void> {
  await gateway.drain({ timeoutMs: 10_000 });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const hurry = setTimeout(() => server.closeAllConnections(), 1_000);
  await closed;
  clearTimeout(hurry);
}

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === "object" && address !== null;
