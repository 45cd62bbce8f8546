import { entryKinds } from "@tollgate/core/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { entryFormats } from "./ledger.ts";

const text = fc.string({ unit: fc.constantFrom("a", "=", "@", "-", "'", '"', ",", "\r", "\n", "\t", "é", " ") });
const entry = fc.record({
  sequence: fc.constant("1"),
  at: fc.constant("2026-01-01T00:00:00.000Z"),
  account: text,
  kind: fc.constantFrom(...entryKinds),
  amount: fc.constantFrom("12.5", "-0.000000001"),
  reference: text,
  reason: text,
});

/** Parses one CSV record (RFC 4180) whose cells are all quoted. */
function readRecord(line: string): string[] {
  const cells = [...line.slice(0, -2).matchAll(/(?:^|,)"((?:[^"]|"")*)"(?=,|$)/g)];
  return cells.map(([, quoted = ""]) => quoted.replaceAll('""', '"'));
}

it("a CSV line contains the entry, with an apostrophe before text that begins like a formula", () => {
  fc.assert(
    fc.property(entry, (shape) => {
      const cells = readRecord(entryFormats.csv.line(shape));
      const escaped = (value: string) => (/^[=@\-\t\r\n]/.test(value) ? `'${value}` : value);
      const { sequence, at, account, kind, amount, reference, reason } = shape;
      expect(cells).toEqual([sequence, at, escaped(account), kind, amount, escaped(reference), escaped(reason)]);
    }),
    { numRuns: 2_000 },
  );
});

it("the head of a CSV has every name quoted, as its lines have every text", () => {
  expect(entryFormats.csv.head).toBe('"sequence","at","account","kind","amount","reference","reason"\r\n');
});

it("a JSON line contains the entry", () => {
  fc.assert(
    fc.property(entry, (shape) => {
      expect(JSON.parse(entryFormats.jsonl.line(shape))).toEqual(shape);
    }),
  );
});
