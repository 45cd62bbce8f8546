const encoder = new TextEncoder();

/** Compares two texts by their bytes in UTF-8, as databases do. The operators of JavaScript compare UTF-16, whose order differs. */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  const [bytes, others] = [encoder.encode(one), encoder.encode(other)];
  const at = bytes.findIndex((byte, index) => byte !== others[index]);
  return at === -1 ? -1 : (bytes[at] ?? 0) - (others[at] ?? -1);
}
