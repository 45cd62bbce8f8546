import { type ChatShapeName, chatShapes } from "../bench/bodies/chat-shapes.ts";
import { replyFor } from "../bench/upstream/replies.ts";

/** A request to the gateway, but for its model, and the body of the upstream's response in its chunks. */
export interface CountedShape {
  readonly request: object;
  readonly reply: readonly string[];
}

/** The name of a shape whose requests are counted. */
export type CountedShapeName = "short" | "tools5" | "agent20" | "stream";

/** Requests of the bench, and a stream of 20 frames of content. */
export const countedShapes: Readonly<Record<CountedShapeName, CountedShape>> = {
  short: jsonShape("short"),
  tools5: jsonShape("tools5"),
  agent20: jsonShape("agent20"),
  stream: { request: { ...chatShapes.short.request, stream: true }, reply: streamedReply(20) },
};

function jsonShape(name: ChatShapeName): CountedShape {
  const { request, reply } = chatShapes[name];
  const answer = replyFor(reply);
  if (answer.kind !== "json") throw new Error(`The reply of the shape "${name}" is not JSON.`);
  return { request, reply: [withoutHead(answer.bytes)] };
}

function streamedReply(frames: number): readonly string[] {
  const answer = replyFor(`sse-${frames}-0`);
  if (answer.kind !== "stream") throw new Error("The reply of the streamed shape is not a stream.");
  const { start, content, tail } = answer.pieces;
  const contents = Array.from({ length: frames }, () => content);
  return [withoutHead(start), ...contents.map(String), ...tail.map(String)].map(decodeChunked);
}

function withoutHead(bytes: Buffer): string {
  return String(bytes).slice(bytes.indexOf("\r\n\r\n") + 4);
}

/** The payloads of chunked encoding stand between lines with their lengths. */
function decodeChunked(text: string): string {
  const payloads = text.split("\r\n").filter((_, index) => index % 2 === 1);
  return payloads.join("");
}
