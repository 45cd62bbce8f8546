import { allocate } from "./allocate.ts";

/** All chunks as one array, which may be a view of a larger buffer; a single chunk is given back as it is. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  const whole = allocate(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
