/**
 * Returns the name that is nearest to a misspelt one, or undefined. Names are near if their optimal string alignment
 * distance is at most a third of the length; case and punctuation do not count.
 */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const plain = simplify(written);
  if (plain.length > maxLength) return undefined;
  const ranked = names
    .map((name) => ({ name, distance: distance(plain, simplify(name)) }))
    .filter(({ name, distance }) => distance <= Math.floor(simplify(name).length / 3))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

const maxLength = 64;

const simplify = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function distance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        at(row, j - 1) + 1,
        at(last, j) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, j - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = row;
  }
  return at(last, to.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
