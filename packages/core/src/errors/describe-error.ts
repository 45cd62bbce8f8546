/**
 * A failure of a store as an observer may see it: its words, code and stack. What database clients hang on their
 * errors besides, such as the command that failed with its parameters, stays behind.
 */
export function describeError(failure: unknown): Error {
  if (!(failure instanceof Error)) return new Error(String(failure));
  const words = new Error(failure.message);
  if (failure.stack !== undefined) words.stack = failure.stack;
  const code: unknown = "code" in failure ? failure.code : undefined;
  return code === undefined ? words : Object.assign(words, { code });
}
