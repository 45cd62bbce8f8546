/** The path of the gateway in an attacked process. */
export const prefix = "/router/v1";

/** The dialects with streams. `small` is a valid body without its last brace, and `last` is in the last event of a stream. */
export const streamingDialects = [
  {
    name: "chat",
    path: "/chat/completions",
    small: '{"model":"plain","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]',
    last: "data: [DONE]",
  },
  {
    name: "messages",
    path: "/messages",
    small: '{"model":"claude","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]',
    last: "event: message_stop",
  },
  {
    name: "responses",
    path: "/responses",
    small: '{"model":"plain","max_output_tokens":16,"input":[{"role":"user","content":"Hi"}]',
    last: "event: response.completed",
  },
] as const;

/** A request of a dialect. */
export interface AttackedDialect {
  readonly name: string;
  readonly path: string;
  /** A valid body without its last brace. */
  readonly small: string;
}

/** All dialects, of which each has a reader of its own. */
export const attackedDialects: readonly AttackedDialect[] = [
  ...streamingDialects,
  { name: "embeddings", path: "/embeddings", small: '{"model":"vectors","input":["Hi"]' },
];

/** A small chat completion. */
export const smallChat = `${streamingDialects[0].small}}`;

/** A header of a request; a name may occur several times. */
export type HeaderLine = readonly [name: string, value: string | number];

/** Returns the head of a request with a key and a blank line. */
export function headOf(method: string, path: string, secret: string, headers: readonly HeaderLine[] = []): string {
  const all: readonly HeaderLine[] = [["host", "gateway.test"], ["authorization", `Bearer ${secret}`], ...headers];
  return `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

/** Returns a POST request of a body. The server closes the connection after its response. */
export function postOf(
  path: string,
  secret: string,
  body: string | Buffer,
  headers: readonly HeaderLine[] = [],
): Buffer {
  const own: readonly HeaderLine[] = [
    ["content-type", "application/json"],
    ["content-length", Buffer.byteLength(body)],
    ["connection", "close"],
  ];
  return Buffer.concat([Buffer.from(headOf("POST", path, secret, [...own, ...headers])), Buffer.from(body)]);
}
