import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebhookMethod } from "@tollgate/core/assistants";
import { decodeBody } from "./decode-body.ts";
import { codeOf, Fault, toFault } from "./fault.ts";
import type { RawHeaders } from "./outgoing-headers.ts";
import { faultOf } from "./time-limit.ts";

/** What goes onto a connection. */
export interface OutgoingMessage {
  readonly method: WebhookMethod;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: Uint8Array | undefined;
}

/** How far a try has come; it decides what may be repeated. */
export interface Progress {
  sent: boolean;
  status: number | null;
}

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/**
 * Sends one message on a connection of its own and reads the answer. Without a head it throws `connect_error`, or
 * `invalid_response` when what came is no HTTP; after the head `response_too_large` or `invalid_response`, also when
 * the connection broke in the middle of the body. The connection is closed in any case.
 */
export async function exchange(
  socket: Socket,
  message: OutgoingMessage,
  limits: { readonly maxResponseBytes: number; readonly signal: AbortSignal },
  progress: Progress,
): Promise<Answer> {
  const { signal, maxResponseBytes } = limits;
  const giveUp = () => socket.destroy(faultOf(signal));
  signal.addEventListener("abort", giveUp);
  try {
    signal.throwIfAborted();
    progress.sent = true;
    const response = await send(socket, message);
    progress.status = response.statusCode ?? null;
    return await read(response, maxResponseBytes);
  } catch (error) {
    throw signal.aborted ? faultOf(signal) : error;
  } finally {
    signal.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}

function send(socket: Socket, { method, path, headers, body }: OutgoingMessage): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Without an agent nothing is pooled, repeated or taken from the environment.
    const request = httpRequest({ createConnection: () => socket, method, path, headers });
    request.once("response", resolve);
    request.once("upgrade", () => reject(new Fault("invalid_response", "The target changed the protocol.")));
    // It stays: a connection that breaks during the answer says so here as well.
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
