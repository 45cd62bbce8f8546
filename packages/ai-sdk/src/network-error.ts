const deepest = 8;

/**
 * The error whose direct cause is the network's own, as core's sorting wants it: the SDK and `fetch` both wrap it.
 * Undefined when no error in the chain has a code of its own.
 */
export function networkError(error: Error): Error | undefined {
  let holder = error;
  for (let depth = 0; depth < deepest; depth += 1) {
    const { cause } = holder;
    if (!(cause instanceof Error)) return undefined;
    if ("code" in cause && typeof cause.code === "string") return holder;
    holder = cause;
  }
  return undefined;
}
