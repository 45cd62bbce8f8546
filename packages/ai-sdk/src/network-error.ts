const maxDepth = 8;

/**
 * Returns the error whose direct cause is the network error, which is the form that `classifyConnectFailure` of core reads.
 * The SDK and `fetch` each add a wrapper. Returns undefined if no error in the chain of causes has a `code`.
 */
export function networkError(error: Error): Error | undefined {
  let holder = error;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const { cause } = holder;
    if (!(cause instanceof Error)) return undefined;
    if ("code" in cause && typeof cause.code === "string") return holder;
    holder = cause;
  }
  return undefined;
}
