import { messagesAnswer, messagesEvents, responsesAnswer, responsesEvents } from "./dialect-replies.ts";

/** What the mock provider does with one request. */
export type Reply =
  | { readonly kind: "json"; readonly delayMs: number; readonly bytes: Buffer }
  | {
      readonly kind: "stream";
      readonly pieces: StreamPieces;
      readonly frames: number;
      readonly betweenMs: number;
      readonly beforeMs: number;
    }
  | { readonly kind: "held" };

/**
 * The reply that a model name asks for: `json`, `json-<ms>`, `json-toolcalls`, `sse-<frames>-<ms between>[-<ms before>]`,
 * or `sse-held`, a stream that says nothing more after its first content; wherever it stands in the name. Any other name
 * gives `json`. The path picks the API.
 */
export function replyFor(model: string, path = "/v1/chat/completions"): Reply {
  if (model.includes("sse-held")) return { kind: "held" };
  const stream = /sse-(\d+)-(\d+)(?:-(\d+))?/.exec(model);
  if (stream) {
    const [, frames, between, before] = stream;
    const pieces = piecesAt(path);
    return {
      kind: "stream",
      pieces,
      frames: Number(frames),
      betweenMs: Number(between),
      beforeMs: Number(before ?? 0),
    };
  }
  const answer = wholeAnswers.find(({ end }) => path.endsWith(end));
  if (answer !== undefined) return { kind: "json", delayMs: 0, bytes: jsonAnswer(answer.body) };
  const bytes = model.includes("json-toolcalls") ? toolCallsReply : jsonReply;
  return { kind: "json", delayMs: Number(/json-(\d+)/.exec(model)?.[1] ?? 0), bytes };
}

const piecesAt = (path: string): StreamPieces =>
  path.endsWith("/messages") ? messagesPieces : path.endsWith("/responses") ? responsesPieces : chatPieces;

/** The head of every streamed answer. */
const streamHead = Buffer.from(
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Request-Id: req_123\r\n" +
    "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
);

const common = '"id":"chatcmpl-BQ8xW2n4p7Kz","created":1763700000,"model":"gpt-4o-mini"';
const usage = '"usage":{"prompt_tokens":42,"completion_tokens":200,"total_tokens":242}';

/** A streamed answer in chunked encoding: its head with the first frames, a frame of content, and the last writes. */
export interface StreamPieces {
  readonly start: Buffer;
  readonly content: Buffer;
  readonly tail: readonly [Buffer, Buffer, Buffer];
}

const streamEnd = Buffer.from("0\r\n\r\n");

/** Chat completion chunks. Payload of `content`: 188 bytes. */
const chatPieces: StreamPieces = {
  start: Buffer.concat([
    streamHead,
    chunk(event('"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]')),
  ]),
  content: chunk(event('"choices":[{"index":0,"delta":{"content":" token"},"finish_reason":null}]')),
  tail: [
    chunk(event('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]')),
    chunk(event(`"choices":[],${usage}`)),
    Buffer.concat([chunk("data: [DONE]\n\n"), streamEnd]),
  ],
};

/** What a stream shows before it is held. */
export const heldStart = Buffer.concat([chatPieces.start, chatPieces.content]);

const messagesPieces: StreamPieces = {
  start: Buffer.concat([streamHead, ...messagesEvents.start.map(chunk)]),
  content: chunk(messagesEvents.content),
  tail: [chunk(messagesEvents.tail[0]), chunk(messagesEvents.tail[1]), withEnd(messagesEvents.tail[2])],
};

const responsesPieces: StreamPieces = {
  start: Buffer.concat([streamHead, ...responsesEvents.start.map(chunk)]),
  content: chunk(responsesEvents.content),
  tail: [chunk(responsesEvents.tail[0]), chunk(responsesEvents.tail[1]), withEnd(responsesEvents.tail[2])],
};

function withEnd(payload: string): Buffer {
  return Buffer.concat([chunk(payload), streamEnd]);
}

/** The whole answers of APIs other than chat completions, by the end of their path. */
const wholeAnswers = [
  { end: "/messages", body: messagesAnswer },
  { end: "/responses", body: responsesAnswer },
] as const;

/** A whole answer of 600 bytes with its head. */
const jsonReply = jsonAnswer(completion(600));

/** A whole answer that calls two tools, with its head. */
const toolCallsReply = jsonAnswer(toolCallsCompletion());

/** An answer of 200 with a JSON body. */
export function jsonAnswer(body: string): Buffer {
  return Buffer.from(
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Request-Id: req_123\r\n" +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: keep-alive\r\n\r\n${body}`,
  );
}

function event(members: string): string {
  return `data: {${common},"object":"chat.completion.chunk",${members}}\n\n`;
}

function chunk(payload: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(payload).toString(16)}\r\n${payload}\r\n`);
}

function completion(bytes: number): string {
  const withContent = (content: string) => wholeAnswer(`"content":"${content}"`, "stop");
  const sentence = "The capital of France is Paris and it is known for the tower and the river and the food. ";
  return withContent(sentence.repeat(10).slice(0, bytes - withContent("").length));
}

function toolCallsCompletion(): string {
  const calls = [0, 1].map((index) => ({
    id: `call_Qw8xK2vTz7Lm${index}`,
    type: "function",
    function: { name: `read_${5 * index}`, arguments: `{"path":"src/entries/part-${index}.ts","limit":40}` },
  }));
  return wholeAnswer(`"content":null,"tool_calls":${JSON.stringify(calls)}`, "tool_calls");
}

function wholeAnswer(members: string, finishReason: string): string {
  const message = `{"role":"assistant",${members},"refusal":null}`;
  const choice = `{"index":0,"message":${message},"logprobs":null,"finish_reason":"${finishReason}"}`;
  const counts =
    '"prompt_tokens":42,"completion_tokens":57,"total_tokens":99,"prompt_tokens_details":{"cached_tokens":0}';
  return `{${common},"object":"chat.completion","choices":[${choice}],"usage":{${counts}},"system_fingerprint":"fp_x"}`;
}
