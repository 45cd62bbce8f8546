import { byteLength } from "../wire/utf8.ts";
import type { ByteSink } from "./byte-stream.ts";

/** The body of a streamed answer. */
export interface ResponseStream {
  /** How long a client may leave what it was sent unread, in milliseconds. Once the sink is closed, the sink enforces it. */
  readonly stalledMs: number;
  /** Starts the body, which is pushed into the sink; called once. */
  pipeTo(sink: ByteSink): void;
  /** The client has read what was written so far and wants more. */
  onDrain(): void;
  /** The client has gone. */
  cancel(): void;
}

/** What the gateway answers, before it takes the form of the runtime's Response. */
export interface GatewayResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the answer has none, as that of a 204. */
  readonly body: string | ResponseStream | null;
}

/** What becomes of answers in one piece that their clients do not read: they are counted together with streams, and cut when they stall. */
export interface UnreadResponses {
  /** The same answer; a long text as a stream that is given out as the client takes it. */
  paced(answer: GatewayResponse): GatewayResponse;
  /** Counts bytes that were written and that a client has yet to take, until the function that it gives back is called; calls `cut`, perhaps at once, when they are to go. */
  watch(bytes: number, cut: () => void): () => void;
}

/** Headers of every streamed answer. */
export const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** An answer of JSON. The headers become the answer's own. */
export function jsonResponse(status: number, headers: Record<string, string>, value: unknown): GatewayResponse {
  return jsonTextResponse(status, headers, JSON.stringify(value));
}

/** An answer of JSON that is written already, and that has so many bytes in UTF-8. The headers become the answer's own. */
export function jsonTextResponse(
  status: number,
  headers: Record<string, string>,
  body: string,
  bytes = byteLength(body),
): GatewayResponse {
  headers["content-type"] = "application/json";
  headers["content-length"] = String(bytes);
  return { status, headers, body };
}

/** True for the body of a streamed answer. */
export const isResponseStream = (body: GatewayResponse["body"]): body is ResponseStream =>
  typeof body === "object" && body !== null;

/** An answer that has no body: 204. */
export function emptyResponse(headers: Record<string, string>): GatewayResponse {
  return { status: 204, headers, body: null };
}
