import { type ChatShapeName, chatShapes } from "../bodies/chat-shapes.ts";
import { type DialectShapeName, dialectShapes, eventsOf } from "../dialects/dialect-shapes.ts";

/** Where and as whom the load asks. */
export interface Target {
  readonly port: number;
  /** The path of the API, such as "/v1". */
  readonly base: string;
  /** Further header lines of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bearer keys of a load on several accounts. */
  readonly apiKeys?: readonly string[];
  /** Stands before the name of each reply, as in `public-json`. */
  readonly modelPrefix: string;
}

/** The bytes of a chat completion request of a shape; a reply of the form `sse-…` is asked for as a stream. */
export function encodeRequest(target: Target, reply: string, shape: ChatShapeName = "short"): Buffer {
  const body = JSON.stringify({
    model: target.modelPrefix + reply,
    ...chatShapes[shape].request,
    ...(reply.startsWith("sse-") ? { stream: true, stream_options: { include_usage: true } } : {}),
  });
  return encode(target, "/chat/completions", body);
}

/** The same as {@link encodeRequest} with the key of each of some accounts; once if the target has no keys of its own. */
export function encodeRequests(target: Target, reply: string, shape: ChatShapeName, accounts: number): Buffer[] {
  const keys = target.apiKeys?.slice(0, accounts) ?? [];
  if (keys.length < 2) return [encodeRequest(target, reply, shape)];
  return keys.map((key) => {
    const headers = { ...target.headers, Authorization: `Bearer ${key}` };
    return encodeRequest({ ...target, headers }, reply, shape);
  });
}

/** The bytes of a request in another dialect. Only the router knows models by the way of their targets. */
export function encodeDialectRequest(target: Target, name: DialectShapeName): Buffer {
  const { path, way, reply, request } = dialectShapes[name];
  const model = target.modelPrefix === "" ? reply : `${way}${path.replace("/", "-")}-${reply}`;
  return encode(target, path, JSON.stringify({ model, ...request }));
}

function encode(target: Target, path: string, body: string): Buffer {
  const headers = Object.entries({
    Host: `127.0.0.1:${target.port}`,
    "User-Agent": "OpenAI/JS 6.49.0",
    Accept: "application/json",
    "Content-Type": "application/json",
    ...target.headers,
    "Content-Length": String(Buffer.byteLength(body)),
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`POST ${target.base}${path} HTTP/1.1\r\n${lines}\r\n${body}`);
}

/** The frames that a whole answer has: content, usage and [DONE]; none unless it is streamed. */
export function framesOf(reply: string): number {
  const content = /^sse-(\d+)-/.exec(reply)?.[1];
  return content === undefined ? 0 : Number(content) + 2;
}

/** The events that a whole answer in another dialect has; none unless it is streamed. */
export function dialectFramesOf(name: DialectShapeName): number {
  const { path, reply } = dialectShapes[name];
  const content = /^sse-(\d+)-/.exec(reply)?.[1];
  return content === undefined ? 0 : eventsOf(path, Number(content));
}
