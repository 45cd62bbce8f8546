import { encodeUtf8, joinBytes } from "./bytes.ts";
import { nodeBuffer, nodeCrypto } from "./platform.ts";

const blockLength = 64;

/**
 * Returns HMAC-SHA-256 (RFC 2104) of a text in UTF-8, as 64 lower-case hexadecimal digits. It is synchronous on every
 * runtime, since the events of a stream are sealed as they arrive.
 */
export function hmac(key: string, text: string): string {
  const { inner, outer } = blocksOf(key);
  if (nodeCrypto === undefined || nodeBuffer === undefined) {
    return toHex(sha256(joinBytes([outer, sha256(joinBytes([inner, encodeUtf8(text)]))])));
  }
  // Two digests cost less than an Hmac object, whose native part the garbage collector has to finalize.
  const digest = hashAfter(inner, text, "utf8", nodeCrypto, nodeBuffer);
  return hashAfter(outer, digest, "hex", nodeCrypto, nodeBuffer);
}

/** Returns the digest of a block and the bytes of a text, as hexadecimal digits. */
function hashAfter(
  block: Uint8Array,
  text: string,
  encoding: "utf8" | "hex",
  { hash }: NonNullable<typeof nodeCrypto>,
  { allocUnsafe, byteLength }: NonNullable<typeof nodeBuffer>,
): string {
  const message = allocUnsafe(blockLength + byteLength(text, encoding));
  message.set(block);
  message.write(text, blockLength, encoding);
  return hash("sha256", message, "hex");
}

/** Of the last key, since a gateway signs almost everything with one. */
let last = makeBlocks("");

/** Returns what the key adds before each of the two messages. */
function blocksOf(key: string) {
  if (last.key !== key) last = makeBlocks(key);
  return last;
}

function makeBlocks(key: string) {
  const bytes = encodeUtf8(key);
  const block = new Uint8Array(blockLength);
  block.set(bytes.length > blockLength ? sha256(bytes) : bytes);
  return { key, inner: block.map((byte) => byte ^ 0x36), outer: block.map((byte) => byte ^ 0x5c) };
}

/** Returns bytes as lower-case hex digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The SHA-256 of FIPS 180-4, for runtimes whose only digests are promises. Returns 32 bytes. */
function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(roots, (root) => fraction(root ** (1 / 2)));
  const padded = pad(message);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.byteLength; at += 64) addBlock(state, padded, at, words);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setUint32(4 * index, word);
  return new Uint8Array(digest.buffer);
}

/** The message with a one bit, zeros, and its length in bits, to whole blocks of 64 bytes. */
function pad(message: Uint8Array): DataView {
  const bytes = new Uint8Array((((message.length + 8) >>> 6) + 1) << 6);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(bytes.length - 4, message.length << 3);
  return view;
}

function addBlock(state: Uint32Array, block: DataView, start: number, words: Uint32Array): void {
  for (let t = 0; t < 64; t++) words[t] = t < 16 ? block.getUint32(start + 4 * t) : scheduled(words, t);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const first = (h + sumE + choice + (constants[t] ?? 0) + (words[t] ?? 0)) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sumA + majority) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

function scheduled(words: Uint32Array, t: number): number {
  const [early = 0, late = 0] = [words[t - 15], words[t - 2]];
  const sumEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
  const sumLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
  return (words[t - 16] ?? 0) + sumEarly + (words[t - 7] ?? 0) + sumLate;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the fractional part. */
const fraction = (root: number): number => Math.floor((root % 1) * 0x1_0000_0000);

const primes = [2];
for (let candidate = 3; primes.length < 64; candidate += 2) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
}
const roots = primes.slice(0, 8);
const constants = Uint32Array.from(primes, (prime) => fraction(prime ** (1 / 3)));
