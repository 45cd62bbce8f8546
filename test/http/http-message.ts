/** A response, as far as its bytes have arrived. */
export interface HttpMessage {
  readonly status: number;
  /** Lower-case names, in the order of the bytes. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body so far, without chunk sizes. */
  readonly body: string;
  /** Whether the response is complete. */
  readonly complete: boolean;
  /** The length of the response so far, in bytes. */
  readonly length: number;
}

/** Parses the response at the start of the bytes. Returns undefined while its head is incomplete. */
export function parseHttpMessage(bytes: Buffer): HttpMessage | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const headers = new Map(lines.map(splitHeader));
  const rest = bytes.subarray(headEnd + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? dechunk(rest) : take(rest, headers);
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    body: body.bytes.toString("utf8"),
    complete: body.complete,
    length: headEnd + 4 + body.length,
  };
}

interface Body {
  readonly bytes: Buffer;
  readonly complete: boolean;
  readonly length: number;
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function take(rest: Buffer, headers: ReadonlyMap<string, string>): Body {
  const length = Number(headers.get("content-length") ?? 0);
  const bytes = rest.subarray(0, length);
  return { bytes, complete: bytes.length === length, length: bytes.length };
}

function dechunk(rest: Buffer): Body {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd === -1) return { bytes: Buffer.concat(chunks), complete: false, length: rest.length };
    const size = Number.parseInt(rest.toString("latin1", at, lineEnd), 16);
    const start = lineEnd + 2;
    if (size === 0) return { bytes: Buffer.concat(chunks), complete: rest.length >= start + 2, length: start + 2 };
    if (rest.length < start + size + 2) return { bytes: Buffer.concat(chunks), complete: false, length: rest.length };
    chunks.push(rest.subarray(start, start + size));
    at = start + size + 2;
  }
}
