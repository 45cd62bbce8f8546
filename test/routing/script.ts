/** One thing that an upstream does on the connection of a request. */
export type Step =
  | string
  | Buffer
  /** Says nothing for so many milliseconds. */
  | number
  /** Ends what it does: the answer is whole, and the connection may be used again; or how it is not. */
  | { readonly ends: "keep" | "close" | "reset" | "hang" };

/** What an upstream does with one request, from its head on. */
export type Script = readonly Step[];

/** The answer is whole. */
export const keep: Step = { ends: "keep" };
/** Closes the connection in good order. */
export const close: Step = { ends: "close" };
/** Breaks the connection off. */
export const reset: Step = { ends: "reset" };
/** Keeps the connection and says nothing more. */
export const hang: Step = { ends: "hang" };

/** What no client may see, in every head of every answer. No pattern of keys knows these: they are hidden by name. */
export const canary = {
  key: "correct-horse-battery-staple",
  secondKey: "another-horse-battery-staple",
  host: "gpu-7.internal.example",
  model: "vendor/secret-model-9x",
} as const;

/** An upstream's words that tell too much. */
export const telling = `Model ${canary.model} at https://${canary.host}/v1 refused temperature for ${canary.key}.`;
/** What is left of them for the client. */
export const told = "Model [removed] at [removed] refused temperature for [removed].";

/** The head of an answer. */
export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const all = { server: canary.host, "x-served-by": canary.key, "openai-model": canary.model, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n`;
}

/** A whole answer: an object goes as JSON, a text as it is, called HTML unless its headers say otherwise. */
export function answer(status: number, body: unknown = "", headers: Readonly<Record<string, string>> = {}): Script {
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const type = isText ? "text/html" : "application/json";
  return [head(status, { "content-type": type, "content-length": String(bytes.length), ...headers }), bytes, keep];
}

const eventHead = head(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });

/** A stream of events that is cut into chunks as given and ends in good order. */
export const events = (...parts: readonly (string | Buffer | number)[]): Script => [
  ...brokenEvents(...parts),
  "0\r\n\r\n",
  keep,
];

/** The same without its end; the last part may say how it ends. */
export const brokenEvents = (...parts: readonly Step[]): Script => [
  eventHead,
  ...parts.flatMap((part) => (typeof part === "string" || Buffer.isBuffer(part) ? chunk(part) : [part])),
];

function chunk(part: string | Buffer): Step[] {
  const bytes = Buffer.from(part);
  return bytes.length === 0 ? [] : [Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, crlf])];
}

const crlf = Buffer.from("\r\n");

/** Bytes cut into pieces of a length, with a moment after each, or after so many that an answer in chunks keeps apart. */
export function cut(bytes: Buffer, length: number, together = 1): (Buffer | number)[] {
  const pieces: (Buffer | number)[] = [];
  for (let from = 0; from < bytes.length; from += length) {
    pieces.push(bytes.subarray(from, from + length));
    if ((from / length) % together === 0) pieces.push(1);
  }
  return pieces;
}
