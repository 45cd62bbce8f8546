/** The number of series colours. */
export const colourCount = 8;

const storageKey = "tollgate.series-colours";

/** The colour of each name, by dimension. It is remembered, so that a name keeps its colour in every view. */
const colours = new Map<string, number>(readStored());

/**
 * Returns a colour (0 to 7) for each name of a dimension, for names that are shown together. A name keeps its colour
 * unless one before it has the same.
 */
export function seriesColours(dimension: string, names: readonly string[]): readonly number[] {
  const used = new Set<number>();
  const assigned = names.map((name) => {
    const known = colours.get(`${dimension}:${name}`);
    if (known === undefined || used.has(known)) return undefined;
    used.add(known);
    return known;
  });
  return assigned.map((colour, index) => {
    if (colour !== undefined) return colour;
    const free = firstFree(used, index);
    used.add(free);
    if (!colours.has(`${dimension}:${names[index]}`)) colours.set(`${dimension}:${names[index]}`, free);
    store();
    return free;
  });
}

function firstFree(used: ReadonlySet<number>, index: number): number {
  for (let colour = 0; colour < colourCount; colour++) if (!used.has(colour)) return colour;
  return index % colourCount;
}

function readStored(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

const isEntry = (entry: unknown): entry is [string, number] =>
  Array.isArray(entry) && typeof entry[0] === "string" && Number.isInteger(entry[1]) && entry[1] < colourCount;

function store(): void {
  try {
    window.localStorage.setItem(storageKey, JSON.stringify([...colours].slice(-200)));
  } catch {
    // Without storage the colours hold until the page is left.
  }
}
