/** One request that has come in whole. */
export interface ParsedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  /** Bytes that the request took in the buffer. */
  readonly size: number;
}

/** The first request in a buffer (RFC 9112), or undefined while it is not complete. */
export function parseRequest(buffer: Buffer): ParsedRequest | undefined {
  const headEnd = buffer.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = buffer.toString("latin1", 0, headEnd);
  const [method = "", path = ""] = head.slice(0, head.indexOf("\r\n")).split(" ");
  const start = headEnd + 4;
  const body = /\r\ntransfer-encoding: *chunked/i.test(head)
    ? chunkedBody(buffer, start)
    : sizedBody(buffer, start, Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0));
  return body && { method, path, ...body };
}

function sizedBody(buffer: Buffer, start: number, length: number) {
  const size = start + length;
  return buffer.length < size ? undefined : { body: buffer.subarray(start, size), size };
}

function chunkedBody(buffer: Buffer, start: number) {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = buffer.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(buffer.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + length + 2;
    if (buffer.length < next) return undefined;
    if (length === 0) return { body: Buffer.concat(parts), size: next };
    parts.push(buffer.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = next;
  }
}
