import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { portOf, stopListening } from "../stop-listening.ts";
import { playScript } from "./script-player.ts";
import type { ScriptDesk } from "./scripted-upstream.ts";
import type { UpstreamCodec, UpstreamRequest } from "./upstream-codec.ts";

/** The suite's upstream over HTTP. */
export interface UpstreamServer {
  readonly origin: string;
  /** Resolves when no answer is under way any more: each has ended or lost its connection. */
  idle(): Promise<void>;
  /** From now on there is nothing at its origin. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1 that plays what the desk says, and keeps its faults for `close`, which throws them. */
export async function startUpstreamServer(desk: ScriptDesk, codec: UpstreamCodec): Promise<UpstreamServer> {
  const running = new Set<Promise<unknown>>();
  const faults: unknown[] = [];
  const server = createServer((request, response) => {
    running.add(new Promise((resolve) => response.once("close", resolve)));
    answer(desk, codec, request, response).catch((fault: unknown) => {
      if (response.destroyed || request.destroyed) return;
      faults.push(fault);
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
      for (const fault of faults) throw fault;
    },
  };
}

async function answer(
  desk: ScriptDesk,
  codec: UpstreamCodec,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const received = await readRequest(request);
  await playScript(desk.take(received), codec, received, response);
}

async function readRequest(request: IncomingMessage): Promise<UpstreamRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return { url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() };
}
