import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { portOf, stopListening } from "../stop-listening.ts";

/** A request as it arrived: header values as octets, the body as bytes. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly header: (name: string) => Buffer | undefined;
  readonly body: Buffer;
}

/** Answers a request that has been read to its end. */
export type Answerer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that keeps what it was asked, and answers as the case says. */
export interface TargetServer {
  readonly port: number;
  readonly received: readonly ReceivedRequest[];
  /** 204 until it is called. */
  answer(answerer: Answerer): void;
  /** From now on there is nothing at its port. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1, on a port of the system's choice. */
export async function startTargetServer(): Promise<TargetServer> {
  const received: ReceivedRequest[] = [];
  let answerer: Answerer = (response) => response.writeHead(204).end();
  const server = createServer((request, response) => {
    const take = (whole: ReceivedRequest) => {
      received.push(whole);
      answerer(response, request);
    };
    // A request that broke off was never received.
    readRequest(request).then(take, () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    received,
    answer: (next) => {
      answerer = next;
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
