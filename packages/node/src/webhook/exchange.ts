import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebhookMethod } from "@tollgate/core/extension";
import { decodeBody } from "./decode-body.ts";
import { codeOf, Fault, toFault } from "./fault.ts";
import type { RawHeaders } from "./outgoing-headers.ts";
import { faultOf } from "./time-limit.ts";

/** The request to send on a connection. */
export interface OutgoingMessage {
  readonly method: WebhookMethod;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: Uint8Array | undefined;
}

/** The progress of an attempt. It decides whether a retry is safe. */
export interface Progress {
  sent: boolean;
  status: number | null;
}

/** A response whose body was read completely. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/**
 * Sends one message on a dedicated connection and reads the response. Before the response head it throws
 * `connect_error`, or `invalid_response` for bytes that are not HTTP. After the head it throws `response_too_large`, or
 * `invalid_response` (also when the connection breaks within the body). The connection is always closed.
 */
export async function exchange(
  socket: Socket,
  message: OutgoingMessage,
  limits: { readonly maxResponseBytes: number; readonly signal: AbortSignal },
  progress: Progress,
): Promise<Answer> {
  const { signal, maxResponseBytes } = limits;
  const onAbort = () => socket.destroy(faultOf(signal));
  signal.addEventListener("abort", onAbort);
  try {
    signal.throwIfAborted();
    progress.sent = true;
    const response = await send(socket, message);
    progress.status = response.statusCode ?? null;
    return await read(response, maxResponseBytes);
  } catch (error) {
    throw signal.aborted ? faultOf(signal) : error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    socket.destroy();
  }
}

function send(socket: Socket, { method, path, headers, body }: OutgoingMessage): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Without an agent, Node does not pool connections, retry, or read proxy settings from the environment.
    const request = httpRequest({ createConnection: () => socket, method, path, headers });
    request.once("response", resolve);
    request.once("upgrade", () =>
      reject(
        new Fault(
          "invalid_response",
          "The target switched to another protocol (HTTP upgrade). Answer with a normal response.",
        ),
      ),
    );
    // Never removed: a connection that breaks within the response also emits "error" here.
    request.on("error", (error) => reject(classifyFailure(error)));
    request.end(body);
  });
}

function classifyFailure(error: Error): Fault {
  return toFault(error, codeOf(error)?.startsWith("HPE_") ? "invalid_response" : "connect_error");
}

async function read(response: IncomingMessage, maxResponseBytes: number): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  try {
    const body = await decodeBody(response, headers["content-encoding"], maxResponseBytes);
    return { status, header: (name) => headerOf(headers[name]), body };
  } catch (error) {
    throw toFault(error, "invalid_response");
  }
}

const headerOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(", ") : value);
