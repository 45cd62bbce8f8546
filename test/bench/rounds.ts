/** What each contender gave in each round, the first round first. */
export type Rounds<Name extends string, Value> = ReadonlyMap<Name, readonly Value[]>;

/** Measures all contenders once a round, each round starting with another one, so that none has the better place. */
export async function alternate<Name extends string, Value>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<Value>,
): Promise<Rounds<Name, Value>> {
  const results = new Map<Name, Value[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      results.get(name)?.push(await measure(name));
    }
  }
  return results;
}

/** One number of a contender in each round. */
export function series<Name extends string, Value>(
  rounds: Rounds<Name, Value>,
  name: Name,
  pick: (value: Value) => number,
): number[] {
  return (rounds.get(name) ?? []).map(pick);
}

/** Combines two series round by round, as in a ratio taken inside each round. */
export function within(left: readonly number[], right: readonly number[], combine: (a: number, b: number) => number) {
  return left.map((value, round) => combine(value, right[round] ?? Number.NaN));
}
