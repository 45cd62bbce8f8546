import { type NodeBytes, nodeBuffer } from "./platform.ts";

const hyphen = 0x2d;
const digits = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
/** The bits of each byte that are random, and those of version and variant. */
const kept = Uint8Array.from({ length: 16 }, (_, i) => (i === 6 ? 0x0f : i === 8 ? 0x3f : 0xff));
const fixed = Uint8Array.from({ length: 16 }, (_, i) => (i === 6 ? 0x40 : i === 8 ? 0x80 : 0));

/**
 * A random UUID (RFC 9562, version 4). Node's own `randomUUID` leaves a text of twenty pieces, which a map or a waiting
 * request would keep, so on Node the bytes of the text are written here, and become one string.
 */
export const uuid: () => string = nodeBuffer === undefined ? () => crypto.randomUUID() : writer(nodeBuffer.alloc(36));

function writer(text: NodeBytes): () => string {
  text.fill(hyphen);
  const random = new Uint8Array(4_096);
  let at = random.length;
  return () => {
    if (at === random.length) {
      crypto.getRandomValues(random);
      at = 0;
    }
    let to = 0;
    for (let i = 0; i < 16; i++) {
      const byte = ((random[at + i] ?? 0) & (kept[i] ?? 0)) | (fixed[i] ?? 0);
      text[to] = digits[byte >> 4] ?? 0;
      text[to + 1] = digits[byte & 0xf] ?? 0;
      // The hyphens stand there already.
      to += i === 3 || i === 5 || i === 7 || i === 9 ? 3 : 2;
    }
    at += 16;
    return text.toString("latin1");
  };
}
