/** Describes a thrown value for a log. Any value can be thrown, even one whose conversion to text throws. */
export function describeThrown(thrown: unknown): string {
  try {
    const cause = thrown instanceof Error && thrown.cause !== undefined ? ` (${String(thrown.cause)})` : "";
    return `${String(thrown)}${cause}`;
  } catch {
    return "a value that cannot be converted to text";
  }
}
