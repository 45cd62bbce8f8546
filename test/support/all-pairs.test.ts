import fc from "fast-check";
import { expect, it } from "vitest";
import { allPairs } from "./all-pairs.ts";

const cell = fc.tuple(fc.nat(4), fc.nat(3), fc.constantFrom("whole", "streamed"), fc.nat(2));
type Cell = readonly (string | number)[];
const identity = (values: Cell): Cell => values;

it("contains every pair of values that occurs in the cells, and only cells of the input", () => {
  fc.assert(
    fc.property(fc.array(cell), (cells) => {
      const chosen = allPairs<Cell>(cells, identity);
      expect(pairs(chosen)).toEqual(pairs(cells));
      for (const each of chosen) expect(cells).toContain(each);
    }),
  );
});

it("chooses the same cells each time, in input order", () => {
  const cells = product();
  const chosen = allPairs(cells, identity);
  expect(allPairs(cells, identity)).toEqual(chosen);
  expect(chosen.map((each) => cells.indexOf(each))).toEqual(
    chosen.map((each) => cells.indexOf(each)).sort((a, b) => a - b),
  );
});

it("omits at least half of the full product of three factors", () => {
  const chosen = allPairs(product(), identity);
  // The two largest factors have 12 pairs, so no subset can be smaller.
  expect(chosen.length).toBeGreaterThanOrEqual(12);
  expect(chosen.length).toBeLessThanOrEqual(18);
});

it("returns an empty array for no cells", () => {
  expect(allPairs<Cell>([], identity)).toEqual([]);
});

it("returns the full product of two factors, in which each cell is a pair", () => {
  const cells = [1, 2, 3].flatMap((row) => ["a", "b"].map((column) => [row, column]));
  expect(allPairs(cells, identity)).toEqual(cells);
});

function product(): readonly Cell[] {
  return [0, 1, 2, 3].flatMap((row) =>
    [0, 1, 2].flatMap((target) => ["x", "y", "z"].map((form) => [row, target, form])),
  );
}

function pairs(cells: readonly Cell[]): ReadonlySet<string> {
  return new Set(
    cells.flatMap((values) =>
      values.flatMap((one, at) => values.slice(at + 1).map((two, next) => `${at}=${one} ${at + 1 + next}=${two}`)),
    ),
  );
}
