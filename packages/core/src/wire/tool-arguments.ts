/**
 * True for the text of the arguments of a call without any. Some upstreams and clients send nothing or `null` for `{}`, which
 * is the only form that every reader accepts.
 */
export function isNoArguments(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null";
}
