import fc from "fast-check";
import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

/** Parses a line whose texts are all quoted. */
function readLine(line: string): string[] {
  expect(line).toMatch(/^(?:"(?:[^"]|"")*"|)(?:,(?:"(?:[^"]|"")*"|))*\r\n$/);
  const cells = [...line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|)/g)];
  return cells.map(([, text = ""]) => text.replaceAll('""', '"'));
}

it("quotes every text, and puts an apostrophe before one that begins like a formula", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "=", "@", "-", "+", "＝", "'", '"', ",", "\r", "\n", "\t", "1"),
  });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (cells) => {
      const expected = cells.map((cell) => (/^[=@\-+＝\t\r\n]/.test(cell) && !/^-\d+$/.test(cell) ? `'${cell}` : cell));
      expect(readLine(csvLine(cells))).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

it("leaves numbers as they are, also negative ones in a text", () => {
  expect(csvLine([-1.5, 12n, "-0.000000001", "-2+3", true])).toBe('-1.5,12,"-0.000000001","\'-2+3",true\r\n');
});

it("writes an object as JSON, and nothing for null and undefined", () => {
  expect(csvLine([null, { a: "=1" }, undefined])).toBe(',"{""a"":""=1""}",\r\n');
});
