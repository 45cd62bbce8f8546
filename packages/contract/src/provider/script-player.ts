import type { ServerResponse } from "node:http";
import type { UpstreamCodec, UpstreamRequest } from "./upstream-codec.ts";
import {
  failing,
  type ScriptedAnswer,
  type ScriptedBytes,
  type ScriptedFailure,
  type UpstreamScript,
} from "./upstream-script.ts";

/** Plays a script as the HTTP response to a request, in the format of the upstream. */
export async function playScript(
  script: UpstreamScript,
  codec: UpstreamCodec,
  request: UpstreamRequest,
  response: ServerResponse,
): Promise<void> {
  switch (script.kind) {
    case "silence":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "other":
      response.writeHead(script.status, { "content-type": script.contentType, location: "/elsewhere" });
      response.end(script.body);
      return;
    case "bytes":
      return playBytes(script, response);
    case "failure":
      return playFailure(script, codec, response);
    case "answer":
      if (codec.asksForStream(request)) return playStream(script, codec, response);
      return playCompletion(script, codec, response);
  }
}

function playFailure(failure: ScriptedFailure, codec: UpstreamCodec, response: ServerResponse): void {
  if (failure.place === "stream") {
    beginStream(codec, response).end(codec.failureEvent?.(failure));
    return;
  }
  const wait = failure.retryAfterSeconds;
  response.writeHead(failure.status, {
    "content-type": "application/json",
    ...(wait === undefined ? {} : { "retry-after": String(wait) }),
  });
  response.end(codec.failure(failure));
}

async function playBytes({ status, headers, pieces, ending }: ScriptedBytes, response: ServerResponse): Promise<void> {
  response.writeHead(status, headers);
  await writeInPieces(response, Buffer.from((ending === "whole" ? pieces : pieces.slice(0, 1)).join("")));
  if (ending === "cut") response.socket?.destroy();
  else if (ending === "whole") response.end();
}

function playCompletion(answer: ScriptedAnswer, codec: UpstreamCodec, response: ServerResponse): void {
  const body = Buffer.from(codec.completion(answer));
  if (answer.ending === "whole") {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  const half = body.subarray(0, body.length / 2);
  if (answer.ending === "cut") response.write(half, () => response.socket?.destroy());
  else if (answer.ending === "stalled") response.write(half);
  else response.end(half);
}

async function playStream(answer: ScriptedAnswer, codec: UpstreamCodec, response: ServerResponse): Promise<void> {
  beginStream(codec, response);
  const events = codec.events(answer);
  const played = answer.ending === "whole" ? events : throughFirstPiece(events, answer);
  await writeInPieces(response, Buffer.from(played.join("")));
  if (answer.ending === "error") response.end(codec.failureEvent?.(failing(500, { place: "stream" })));
  else if (answer.ending === "cut") response.socket?.destroy();
  else if (answer.ending !== "stalled") response.end();
}

function beginStream({ streamType = "text/event-stream" }: UpstreamCodec, response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": streamType });
}

function throughFirstPiece(events: readonly string[], { pieces }: ScriptedAnswer): readonly string[] {
  const [first = ""] = pieces;
  const at = events.findIndex((event) => first !== "" && event.includes(first));
  if (at === -1)
    throw new Error("The codec's `events` must contain each piece of text completely, in a separate event.");
  return events.slice(0, at + 1);
}

/** Splits the bytes within events and within every multi-byte character, as a network can. */
async function writeInPieces(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let from = 0, to = 1; from < bytes.length && !response.destroyed; to += 1) {
    if (to < bytes.length && to - from < maxPieceLength && !isInsideCharacter(bytes[to])) continue;
    response.write(bytes.subarray(from, to));
    from = to;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const maxPieceLength = 61;

/** Whether a byte continues a character (RFC 3629). */
const isInsideCharacter = (byte = 0) => byte >> 6 === 0b10;
