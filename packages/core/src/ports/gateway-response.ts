import { byteLength } from "../wire/bytes.ts";
import type { ByteSink } from "./byte-stream.ts";

/** The body of a streamed response. */
export interface ResponseStream {
  /** How long a client may leave what it was sent unread, in milliseconds. Once the sink is closed, the sink enforces it. */
  readonly stalledMs: number;
  /** Starts the body, which is pushed into the sink; called once. */
  pipeTo(sink: ByteSink): void;
  /** The client has read what was written so far and is ready for more. */
  onDrain(): void;
  /** The client has gone. */
  cancel(): void;
}

/** A response of the gateway, independent of the server. */
export interface GatewayResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** A text, which may be given in UTF-8, or a stream. Null: the response has no body, as with 204. */
  readonly body: string | Uint8Array | ResponseStream | null;
}

/** Limits the memory of responses that clients do not read. They count towards the budget of streams, and are cut off when they stall. */
export interface UnreadResponses {
  /** Returns the response, with a long body as a stream that is written as the client reads. */
  withBackpressure(response: GatewayResponse): GatewayResponse;
  /** Counts written bytes that a client has not read, until the returned function is called. Calls `cut`, possibly at once, when the response must be cut off. */
  watch(bytes: number, cut: () => void): () => void;
}

/** Headers of every streamed response. */
export const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** Returns a response with a value as JSON. Takes ownership of `headers`. */
export function jsonResponse(status: number, headers: Record<string, string>, value: unknown): GatewayResponse {
  return jsonTextResponse(status, headers, JSON.stringify(value));
}

/** Returns a response with JSON, as text or in UTF-8. Takes ownership of `headers`. */
export function jsonTextResponse(
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array,
): GatewayResponse {
  headers["content-type"] = "application/json";
  headers["content-length"] = String(byteLength(body));
  return { status, headers, body };
}

/** True for the body of a streamed response. */
export const isResponseStream = (body: GatewayResponse["body"]): body is ResponseStream =>
  typeof body === "object" && body !== null && !(body instanceof Uint8Array);

/** Returns a 204 response, which has no body. */
export function emptyResponse(headers: Record<string, string>): GatewayResponse {
  return { status: 204, headers, body: null };
}
