import fc from "fast-check";

/** Places at which bytes are cut. */
export const anyCuts = fc.array(fc.nat(), { maxLength: 8 });

/** Cuts bytes into chunks. A place beyond the end counts from the start again. */
export function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}
