import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { certificate, certificateKey } from "../webhook/certificate.ts";
import type { Script } from "./script.ts";

/** A request as received from the socket. */
export interface ReceivedRequest {
  /** The time of `performance.now()`. */
  readonly at: number;
  /** The request line and headers. */
  readonly head: string;
  readonly body: Buffer;
}

/** An upstream on a real socket that plays a script of bytes for each request. */
export interface FaultyUpstream {
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** The number of requests whose response is incomplete and whose connection is open. */
  busy(): number;
  close(): Promise<void>;
}

/** Its behaviour if a client starts a TLS handshake. */
export type Handshake = "hang" | "break" | "unknown certificate";

/** Starts an upstream; `scriptOf` receives the number of earlier requests. */
export async function faultyUpstream(
  scriptOf: (before: number) => Script,
  handshake: Handshake = "break",
): Promise<FaultyUpstream> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const busy = new Set<Socket>();
  const serve = async (socket: Socket, request: ReceivedRequest) => {
    requests.push(request);
    busy.add(socket);
    if (await play(socket, scriptOf(requests.length - 1))) busy.delete(socket);
  };
  const connected = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => [sockets, busy].map((each) => each.delete(socket)));
    let received = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (received[0] === tlsHandshake && handshake === "break") socket.destroy();
      const request = readRequest(received);
      if (request === undefined) return;
      received = received.subarray(request.head.length + request.body.length);
      void serve(socket, request);
    });
  };
  const server =
    handshake === "unknown certificate"
      ? createTlsServer({ cert: certificate, key: certificateKey }, connected)
      : createServer(connected);
  server.on("tlsClientError", () => undefined).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return {
    port: address.port,
    requests,
    busy: () => busy.size,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

const tlsHandshake = 0x16;

function readRequest(bytes: Buffer): ReceivedRequest | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n") + 4;
  if (headEnd < 4) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const bodyEnd = headEnd + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < bodyEnd) return undefined;
  return { at: performance.now(), head, body: bytes.subarray(headEnd, bodyEnd) };
}

/** Plays a script. Resolves to true if the response is complete. */
async function play(socket: Socket, script: Script): Promise<boolean> {
  for (const step of script) {
    if (socket.destroyed) return false;
    if (typeof step === "number") await sleep(step);
    else if (typeof step === "string" || Buffer.isBuffer(step)) await write(socket, step);
    else if (step.ends === "close") socket.end();
    else if (step.ends === "reset") socket.resetAndDestroy();
    else return step.ends === "keep";
  }
  return false;
}

function write(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.write(bytes)) resolve();
    else socket.once("drain", resolve).once("close", resolve);
  });
}
