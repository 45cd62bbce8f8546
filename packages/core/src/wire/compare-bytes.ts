const encoder = new TextEncoder();

/** Compares two texts by their bytes in UTF-8, as databases do. The operators of JavaScript compare UTF-16, whose order differs. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const [bytes, others] = [encoder.encode(a), encoder.encode(b)];
  const at = bytes.findIndex((byte, index) => byte !== others[index]);
  return at === -1 ? -1 : (bytes[at] ?? 0) - (others[at] ?? -1);
}
