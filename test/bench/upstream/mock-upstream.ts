import { createServer, type Socket } from "node:net";
import { listen } from "../processes/listen.ts";
import { Exchange } from "./exchange.ts";
import type { UpstreamStats } from "./stats.ts";

/** A running mock provider. */
export interface MockUpstream {
  readonly port: number;
  readonly stats: UpstreamStats;
  close(): Promise<void>;
}

/**
 * Starts a mock provider of chat completions on plain sockets, so that it costs less than what it measures. The
 * request's `model` picks the reply; `GET /stats` answers with the counters.
 */
export async function startMockUpstream(): Promise<MockUpstream> {
  const stats: UpstreamStats = { requests: 0, streams: 0, completed: 0, aborted: 0, frames: 0, lastAbortNs: "0" };
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const exchange = new Exchange(socket, stats);
    socket.on("data", (chunk) => exchange.receive(chunk));
    socket.on("error", () => exchange.gone());
    socket.on("end", () => exchange.gone());
    socket.on("close", () => {
      exchange.gone();
      sockets.delete(socket);
    });
  });
  const port = await listen(server);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, stats, close };
}
