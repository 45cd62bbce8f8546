/** Starts all calls before the first is awaited, by turns on the store and its peer, and gives what each answered. */
export function crowd<Port, Answer>(
  clients: { readonly store: Port; readonly peer: Port },
  size: number,
  call: (client: Port, index: number) => Answer | Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: size }, async (_, index) => call(index % 2 === 0 ? clients.store : clients.peer, index)),
  );
}

/** How many of the answers have each outcome. */
export function tally(answers: readonly { readonly outcome: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
