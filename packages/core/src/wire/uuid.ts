import { type NodeBytes, nodeBuffer } from "../platform.ts";

/**
 * A random UUID (RFC 9562, version 4). Node's own `randomUUID` leaves a text of twenty pieces, which a map or a waiting
 * request would keep, so on Node the bytes of the text are written here, and become one string.
 */
export const uuid: () => string = nodeBuffer === undefined ? () => crypto.randomUUID() : writer(nodeBuffer.alloc(36));

function writer(text: NodeBytes): () => string {
  const random = new Uint8Array(4_096);
  let at = random.length;
  return () => {
    if (at === random.length) {
      crypto.getRandomValues(random);
      at = 0;
    }
    let to = 0;
    for (let i = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) text[to++] = hyphen;
      const byte = withVersion(random[at + i] ?? 0, i);
      text[to++] = digits.charCodeAt(byte >> 4);
      text[to++] = digits.charCodeAt(byte & 0xf);
    }
    at += 16;
    return text.toString("latin1");
  };
}

const hyphen = 0x2d;
const digits = "0123456789abcdef";

function withVersion(byte: number, index: number): number {
  if (index === 6) return (byte & 0x0f) | 0x40;
  return index === 8 ? (byte & 0x3f) | 0x80 : byte;
}
