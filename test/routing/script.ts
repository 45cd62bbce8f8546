/** One step of an upstream on the connection of a request. */
export type Step =
  | string
  | Buffer
  /** Waits for this number of milliseconds. */
  | number
  /** Ends the script. With "keep", the response is complete and the connection can be reused. */
  | { readonly ends: "keep" | "close" | "reset" | "hang" };

/** The steps of an upstream for one request, starting with the response head. */
export type Script = readonly Step[];

/** The response is complete, and the connection stays open. */
export const keep: Step = { ends: "keep" };
/** Closes the connection normally. */
export const close: Step = { ends: "close" };
/** Resets the connection. */
export const reset: Step = { ends: "reset" };
/** Keeps the connection open and sends nothing more. */
export const hang: Step = { ends: "hang" };

/** Secrets in every response head, which no client may see. They match no pattern of keys, so they must be removed by value. */
export const canary = {
  key: "correct-horse-battery-staple",
  secondKey: "another-horse-battery-staple",
  host: "gpu-7.internal.example",
  model: "vendor/secret-model-9x",
} as const;

/** An upstream's error message that leaks secrets. */
export const leakyMessage = `Model ${canary.model} at https://${canary.host}/v1 refused temperature for ${canary.key}.`;
/** The same message as the client may see it. */
export const redactedMessage = "Model [removed] at [removed] refused temperature for [removed].";

/** The head of a response. */
export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const all = { server: canary.host, "x-served-by": canary.key, "openai-model": canary.model, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n`;
}

/** A complete response. An object is sent as JSON, and a string unchanged, by default with the content type of HTML. */
export function answer(status: number, body: unknown = "", headers: Readonly<Record<string, string>> = {}): Script {
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const type = isText ? "text/html" : "application/json";
  return [head(status, { "content-type": type, "content-length": String(bytes.length), ...headers }), bytes, keep];
}

const eventHead = head(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });

/** An event stream with one chunk for each part, and a normal end. */
export const events = (...parts: readonly (string | Buffer | number)[]): Script => [
  ...brokenEvents(...parts),
  "0\r\n\r\n",
  keep,
];

/** An event stream without a normal end; the last part may be the step that ends it. */
export const brokenEvents = (...parts: readonly Step[]): Script => [
  eventHead,
  ...parts.flatMap((part) => (typeof part === "string" || Buffer.isBuffer(part) ? chunk(part) : [part])),
];

function chunk(part: string | Buffer): Step[] {
  const bytes = Buffer.from(part);
  return bytes.length === 0 ? [] : [Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, crlf])];
}

const crlf = Buffer.from("\r\n");

/** Splits bytes into pieces of this length, with a pause after each group of `together` pieces. */
export function cut(bytes: Buffer, length: number, together = 1): (Buffer | number)[] {
  const pieces: (Buffer | number)[] = [];
  for (let from = 0; from < bytes.length; from += length) {
    pieces.push(bytes.subarray(from, from + length));
    if ((from / length) % together === 0) pieces.push(1);
  }
  return pieces;
}
