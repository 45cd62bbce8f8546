/**
 * Returns a copy of a store's error for the observer: its message, code and stack. It drops what database clients add,
 * such as the failed command with its parameters.
 */
export function describeError(failure: unknown): Error {
  if (!(failure instanceof Error)) return new Error(String(failure));
  const copy = new Error(failure.message);
  if (failure.stack !== undefined) copy.stack = failure.stack;
  const code: unknown = "code" in failure ? failure.code : undefined;
  return code === undefined ? copy : Object.assign(copy, { code });
}
