/** What the mock provider does with one request. */
export type Reply =
  | { readonly kind: "json"; readonly delayMs: number }
  | { readonly kind: "stream"; readonly frames: number; readonly betweenMs: number; readonly beforeMs: number }
  | { readonly kind: "held" };

/**
 * The reply that a model name asks for: `json`, `json-<ms>`, `sse-<frames>-<ms between>[-<ms before>]`, or `sse-held`, a
 * stream that says nothing more after its first content; wherever it stands in the name. Any other name gives `json`.
 */
export function replyFor(model: string): Reply {
  if (model.includes("sse-held")) return { kind: "held" };
  const stream = /sse-(\d+)-(\d+)(?:-(\d+))?/.exec(model);
  if (stream) {
    const [, frames, between, before] = stream;
    return { kind: "stream", frames: Number(frames), betweenMs: Number(between), beforeMs: Number(before ?? 0) };
  }
  return { kind: "json", delayMs: Number(/json-(\d+)/.exec(model)?.[1] ?? 0) };
}

/** The head of every streamed answer. */
export const streamHead = Buffer.from(
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Request-Id: req_123\r\n" +
    "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
);

const common = '"id":"chatcmpl-BQ8xW2n4p7Kz","created":1763700000,"model":"gpt-4o-mini"';
const usage = '"usage":{"prompt_tokens":42,"completion_tokens":200,"total_tokens":242}';

/** The frames of a streamed answer in chunked encoding. Payload of `content`: 188 bytes. */
export const frames = {
  first: chunk(event('"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]')),
  content: chunk(event('"choices":[{"index":0,"delta":{"content":" token"},"finish_reason":null}]')),
  last: chunk(event('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]')),
  usage: chunk(event(`"choices":[],${usage}`)),
  done: Buffer.concat([chunk("data: [DONE]\n\n"), Buffer.from("0\r\n\r\n")]),
};

/** A whole answer of 600 bytes with its head. */
export const jsonReply = jsonAnswer(completion(600));

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
  const withContent = (content: string) =>
    `{${common},"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"${content}",` +
    '"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":42,"completion_tokens":57,' +
    '"total_tokens":99,"prompt_tokens_details":{"cached_tokens":0}},"system_fingerprint":"fp_x"}';
  const sentence = "The capital of France is Paris and it is known for the tower and the river and the food. ";
  return withContent(sentence.repeat(10).slice(0, bytes - withContent("").length));
}
