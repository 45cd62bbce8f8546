import { encodeUtf8, joinBytes } from "./bytes.ts";
import { nodeBuffer, nodeCrypto } from "./platform.ts";
import { sha256 } from "./sha256.ts";

const blockLength = 64;

/**
 * Returns HMAC-SHA-256 (RFC 2104) of a text in UTF-8, as 64 lower-case hexadecimal digits. It is synchronous on every
 * runtime, since the events of a stream are sealed as they arrive.
 */
export function hmac(key: string, text: string): string {
  const { inner, outer } = blocksOf(key);
  const message = joinBytes([inner, encodeUtf8(text)]);
  if (nodeCrypto === undefined || nodeBuffer === undefined) return toHex(sha256(joinBytes([outer, sha256(message)])));
  // Two digests cost less than an Hmac object, whose native part the garbage collector has to finalize.
  const digest = nodeBuffer.from(nodeCrypto.hash("sha256", message, "hex"), "hex");
  return nodeCrypto.hash("sha256", joinBytes([outer, digest]), "hex");
}

/** What the key adds before each of the two messages. */
interface KeyBlocks {
  readonly key: string;
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** Of the last key, since a gateway signs almost everything with one. */
let last = makeBlocks("");

function blocksOf(key: string): KeyBlocks {
  if (last.key !== key) last = makeBlocks(key);
  return last;
}

function makeBlocks(key: string): KeyBlocks {
  const bytes = encodeUtf8(key);
  const block = new Uint8Array(blockLength);
  block.set(bytes.length > blockLength ? sha256(bytes) : bytes);
  return { key, inner: block.map((byte) => byte ^ 0x36), outer: block.map((byte) => byte ^ 0x5c) };
}

/** Returns bytes as lower-case hex digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
