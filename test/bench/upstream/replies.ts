/** What the mock provider does with one request. */
export type Reply =
  | { readonly kind: "json"; readonly delayMs: number; readonly bytes: Buffer }
  | { readonly kind: "stream"; readonly frames: number; readonly betweenMs: number; readonly beforeMs: number }
  | { readonly kind: "held" };

/**
 * The reply that a model name asks for: `json`, `json-<ms>`, `json-toolcalls`, `sse-<frames>-<ms between>[-<ms before>]`,
 * or `sse-held`, a stream that says nothing more after its first content; wherever it stands in the name. Any other name
 * gives `json`.
 */
export function replyFor(model: string): Reply {
  if (model.includes("sse-held")) return { kind: "held" };
  const stream = /sse-(\d+)-(\d+)(?:-(\d+))?/.exec(model);
  if (stream) {
    const [, frames, between, before] = stream;
    return { kind: "stream", frames: Number(frames), betweenMs: Number(between), beforeMs: Number(before ?? 0) };
  }
  const bytes = model.includes("json-toolcalls") ? toolCallsReply : jsonReply;
  return { kind: "json", delayMs: Number(/json-(\d+)/.exec(model)?.[1] ?? 0), bytes };
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
