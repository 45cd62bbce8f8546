/** A thrown value, which may be anything, as text for a log; also one that throws when it is turned into text. */
export function describeThrown(thrown: unknown): string {
  try {
    const cause = thrown instanceof Error && thrown.cause !== undefined ? ` (${String(thrown.cause)})` : "";
    return `${String(thrown)}${cause}`;
  } catch {
    return "something without words";
  }
}
