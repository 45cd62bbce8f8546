/**
 * Returns a subset of the cells that contains every pair of values of two different factors that occurs in any cell.
 * The algorithm is greedy and deterministic: it chooses next the first of the cells that add the most missing pairs.
 *
 * @param factorsOf The values of one cell, for every cell in the same order.
 */
export function allPairs<Cell>(
  cells: readonly Cell[],
  factorsOf: (cell: Cell) => readonly (string | number)[],
): readonly Cell[] {
  const candidates = cells.map((cell) => ({ cell, pairs: pairsOf(factorsOf(cell)) }));
  const missing = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen = new Set<Cell>();
  // The number of pairs that a cell would add never grows, so one pass over the cells is enough for each number.
  for (let most = Math.max(0, ...candidates.map(({ pairs }) => pairs.length)); most > 0; most -= 1) {
    for (const { cell, pairs } of candidates) {
      if (pairs.filter((pair) => missing.has(pair)).length < most) continue;
      for (const pair of pairs) missing.delete(pair);
      chosen.add(cell);
    }
  }
  return cells.filter((cell) => chosen.has(cell));
}

function pairsOf(values: readonly (string | number)[]): readonly string[] {
  const named = values.map((value, factor) => JSON.stringify([factor, value]));
  return named.flatMap((one, at) => named.slice(at + 1).map((other) => `${one} ${other}`));
}
