import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { portOf, stopListening } from "../stop-listening.ts";

/** A received request: header values and body as bytes. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly header: (name: string) => Buffer | undefined;
  readonly body: Buffer;
}

/** Responds to a request that has been received completely. */
export type Responder = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that records its requests and responds as the case specifies. */
export interface TargetServer {
  readonly port: number;
  readonly received: readonly ReceivedRequest[];
  /** Sets how the server responds. Until then it responds with 204. */
  respond(responder: Responder): void;
  /** Stops listening at its port. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1, on a port that the system chooses. */
export async function startTargetServer(): Promise<TargetServer> {
  const received: ReceivedRequest[] = [];
  let responder: Responder = (response) => response.writeHead(204).end();
  const server = createServer((request, response) => {
    const onRequest = (complete: ReceivedRequest) => {
      received.push(complete);
      responder(response, request);
    };
    // An incomplete request is not recorded.
    readRequest(request).then(onRequest, () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    received,
    respond: (next) => {
      responder = next;
    },
    stopListening: () => stopListening(server),
    close: async () => {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, rawHeaders } = request;
  const header = (name: string) => {
    const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
    return at === -1 ? undefined : Buffer.from(rawHeaders[at + 1] ?? "", "latin1");
  };
  return { method, url, header, body: Buffer.concat(chunks) };
}
