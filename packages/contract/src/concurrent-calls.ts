/** Starts all calls at once, alternating between the store and its peer, and returns their results. */
export function callConcurrently<Port, Result>(
  clients: { readonly store: Port; readonly peer: Port },
  size: number,
  call: (client: Port, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  return Promise.all(
    Array.from({ length: size }, async (_, index) => call(index % 2 === 0 ? clients.store : clients.peer, index)),
  );
}

/** Counts the results by outcome. */
export function tally(results: readonly { readonly outcome: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
