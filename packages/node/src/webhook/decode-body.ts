import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { Fault } from "./fault.ts";

type Chunks = AsyncIterable<Uint8Array>;
type Decoder = (first: Uint8Array) => Transform;

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["br", () => createBrotliDecompress()],
  // Many servers send raw deflate data without the zlib header. The first byte shows whether the header is present.
  ["deflate", ([head = 0]) => ((head & 0x0f) === 8 ? createInflate() : createInflateRaw())],
]);
const maxEncodings = 2;

/**
 * Reads a body to its end and removes its content encodings (RFC 9110, section 8.4), at most two. Throws
 * `response_too_large` as soon as more than `limit` bytes are decoded, and `invalid_response` for more than two
 * encodings or an unknown one. Rethrows errors of the source and of the decoder.
 */
export async function decodeBody(source: Chunks, encoding: string | undefined, limit: number): Promise<Uint8Array> {
  // Incompressible data grows a little. Without this limit, a long compressed body could decode to nothing.
  const bounded = atMost(2 * limit + 1_024, source);
  const decoded = readEncodings(encoding).reduceRight((chunks, decoder) => decode(chunks, decoder), bounded);
  const chunks: Uint8Array[] = [];
  for await (const chunk of atMost(limit, decoded)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

function readEncodings(encoding = ""): readonly Decoder[] {
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const applied = names.filter((name) => name !== "" && name !== "identity");
  if (applied.length > maxEncodings)
    throw new Fault("invalid_response", "The response has more than two content encodings.");
  return applied.map((name) => {
    const decoder = decoders.get(name);
    if (decoder === undefined)
      throw new Fault("invalid_response", "The response has an unsupported content encoding. Use gzip, deflate or br.");
    return decoder;
  });
}

async function* atMost(limit: number, source: Chunks): Chunks {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > limit) throw new Fault("response_too_large", `The response is longer than ${limit} bytes.`);
    yield chunk;
  }
}

async function* decode(source: Chunks, decoder: Decoder): Chunks {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  // A response without a body, such as a 204, is valid.
  if (first.done === true) return;
  // The callback ignores the error because the loop below throws it.
  const decoded = pipeline(Readable.from(startingWith(first.value, iterator)), decoder(first.value), () => undefined);
  for await (const chunk of decoded) yield chunk;
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Chunks {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
