import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { portOf, stopListening } from "../stop-listening.ts";
import { playScript } from "./script-player.ts";
import type { ScriptQueue } from "./scripted-upstream.ts";
import type { UpstreamCodec, UpstreamRequest } from "./upstream-codec.ts";

/** The suite's HTTP upstream. */
export interface UpstreamServer {
  readonly origin: string;
  /** Resolves when every response has ended or lost its connection. */
  idle(): Promise<void>;
  /** Stops listening at its origin. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1 that plays the scripts of the queue. `close` throws the errors of the server. */
export async function startUpstreamServer(queue: ScriptQueue, codec: UpstreamCodec): Promise<UpstreamServer> {
  const running = new Set<Promise<unknown>>();
  const errors: unknown[] = [];
  const server = createServer((request, response) => {
    running.add(new Promise((resolve) => response.once("close", resolve)));
    respond(queue, codec, request, response).catch((error: unknown) => {
      if (response.destroyed || request.destroyed) return;
      errors.push(error);
      response.destroy();
    });
  });
  server.on("connection", (socket: Socket) => socket.on("error", () => undefined));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    idle: async () => void (await Promise.all(running)),
    stopListening: () => stopListening(server),
    close: async () => {
      server.closeAllConnections();
      if (server.listening) {
        server.close();
        await once(server, "close");
      }
      for (const error of errors) throw error;
    },
  };
}

async function respond(
  queue: ScriptQueue,
  codec: UpstreamCodec,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const received = await readRequest(request);
  await playScript(queue.take(received), codec, received, response);
}

async function readRequest(request: IncomingMessage): Promise<UpstreamRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return { url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() };
}
