import { encodeUtf8, joinBytes } from "./bytes.ts";
import { nodeCrypto } from "./platform.ts";
import { sha256 } from "./sha256.ts";

const blockLength = 64;

/**
 * Returns HMAC-SHA-256 (RFC 2104) of a text in UTF-8, as 64 lower-case hexadecimal digits. It is synchronous on every
 * runtime, since the events of a stream are sealed as they arrive.
 */
export const hmac = (key: string, text: string): string =>
  nodeCrypto === undefined ? portableHmac(key, text) : nodeCrypto.createHmac("sha256", key).update(text).digest("hex");

function portableHmac(key: string, text: string): string {
  const bytes = encodeUtf8(key);
  const block = new Uint8Array(blockLength);
  block.set(bytes.length > blockLength ? sha256(bytes) : bytes);
  const inner = sha256(joinBytes([block.map((byte) => byte ^ 0x36), encodeUtf8(text)]));
  const outer = sha256(joinBytes([block.map((byte) => byte ^ 0x5c), inner]));
  return Array.from(outer, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
