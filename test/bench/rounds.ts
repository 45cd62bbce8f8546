/** What each contender gave in each round, the first round first. */
export type Rounds<Name extends string, Value> = ReadonlyMap<Name, readonly Value[]>;

/** Measures all contenders once a round, each round starting with another one, so that none has the better place. */
export function alternate<Name extends string, Value>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<Value>,
): Promise<Rounds<Name, Value>> {
  return together(names, rounds, async (round) => {
    const values = new Map<Name, Value>();
    for (const name of rotated(names, round)) values.set(name, await measure(name));
    return values;
  });
}

/** Measures all contenders together once a round. */
export async function together<Name extends string, Value>(
  names: readonly Name[],
  rounds: number,
  measure: (round: number) => Promise<ReadonlyMap<Name, Value>>,
): Promise<Rounds<Name, Value>> {
  const results = new Map<Name, Value[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, value] of await measure(round)) results.get(name)?.push(value);
  }
  return results;
}

/** The same in the same order, beginning with another one each turn. */
export function rotated<T>(all: readonly T[], turn: number): readonly T[] {
  const first = turn % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
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
