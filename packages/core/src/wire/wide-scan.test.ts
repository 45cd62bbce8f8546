import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import wabt from "wabt";
import { runs } from "../../test-support/property-runs.ts";
import { encodeUtf8 } from "./bytes.ts";
import { scanJson } from "./json-members.ts";
import { budgetOf, failed, skipBlank, skipString, skipValue, wideScan } from "./json-skip.ts";
import { scanStringsModule, WideScan } from "./wide-scan.ts";

afterEach(() => vi.unstubAllGlobals());

const windowBytes = 65_536;

/** The end of the string at the start of a text by both scans. A scan that finds no end returns -1. */
function endsOf(text: string): { wide: number; narrow: number } {
  const bytes = encodeUtf8(text);
  const scan = new WideScan(windowBytes);
  scan.open(bytes);
  expect(scan.scans(bytes)).toBe(true);
  const narrow = skipString(bytes, 0);
  return { wide: scan.skipString(0), narrow: narrow === failed.syntax ? -1 : narrow };
}

it("is what the text format compiles to", async () => {
  const source = readFileSync(new URL("scan-strings.wat", import.meta.url), "utf8");
  const { buffer } = (await wabt()).parseWat("scan-strings.wat", source, { simd: true }).toBinary({});
  expect(Buffer.from(buffer).toString("base64")).toBe(scanStringsModule);
});

describe("finds the same end as the scan of single bytes", () => {
  const parts = [
    "x",
    "\\n",
    '\\"',
    "\\\\",
    "\\/",
    "\\u00eF",
    '"',
    "é",
    "𝄞",
    "\\x",
    "\\",
    "\\u",
    "\\u12g4",
    "\\u00:0",
    "\n",
    "\u0000",
    "\u001f",
    "\u007f",
  ];
  it.each(parts)("around the ends of 16 bytes, of windows and of the text, with %j", (part) => {
    for (const [size, rest] of [
      [9_000, 40],
      [windowBytes, 9_000],
      [2 * windowBytes, 0],
    ] as const) {
      for (let shift = -24; shift <= 8; shift++) {
        const head = `"${"a".repeat(size + shift)}${part}`;
        for (const text of [head + "b".repeat(rest), `${head}${"b".repeat(rest)}"`, `${head}"${"c".repeat(rest)}`]) {
          const { wide, narrow } = endsOf(text);
          expect(wide, `${size + shift}`).toBe(narrow);
        }
      }
    }
  });
});

it("does not end a string at a quote of an earlier text", () => {
  const scan = new WideScan(windowBytes);
  scan.open(encodeUtf8(`"${'\\"'.repeat(9_000)}"`));
  expect(scan.skipString(0)).toBe(18_002);
  scan.open(encodeUtf8(`"${"a".repeat(9_000)}`));
  expect(scan.skipString(0)).toBe(-1);
});

it("scans no text after it was closed, and none that is short", () => {
  const scan = new WideScan(windowBytes);
  const [long, short] = [encodeUtf8(`"${"a".repeat(9_000)}"`), encodeUtf8('"a"')];
  scan.open(long);
  scan.close();
  expect(scan.scans(long)).toBe(false);
  scan.open(short);
  expect(scan.scans(short)).toBe(false);
});

it.each([
  ["there is no WebAssembly", undefined],
  [
    "a policy forbids to compile",
    {
      ...WebAssembly,
      Memory: WebAssembly.Memory,
      Module: class {
        constructor() {
          throw new WebAssembly.CompileError("Wasm code generation disallowed by embedder");
        }
      },
    },
  ],
])("scans nothing where %s", (_, webAssembly) => {
  vi.stubGlobal("WebAssembly", webAssembly);
  const text = encodeUtf8(`"${"a".repeat(9_000)}"`);
  const scan = new WideScan();
  scan.open(text);
  expect(scan.scans(text)).toBe(false);
});

it("scans a text of several windows as JSON.parse does, from any string to any other", () => {
  const lines = Array.from({ length: 40 }, (_, index) => 'line\t"quoted" \\ é 𝄞\n'.repeat(2_000 + index));
  const text = JSON.stringify({ a: lines, b: { c: lines.at(-1) }, d: "short" });
  expect(scanJson(encodeUtf8(text))).toMatchObject({ values: 45, members: { length: 3 } });
});

/** Finds the end of each string of a text, whose opening quotes are at these places. */
function allEnds(text: Uint8Array, opening: readonly number[]): readonly number[] {
  const scan = new WideScan(windowBytes);
  scan.open(text);
  return opening.map((at) => scan.skipString(at));
}

it("finds the end of every string where a text has more than a list holds, and where windows end", () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(150)), fc.nat(40), (sizes, most) => {
      const opening: number[] = [];
      const expected: number[] = [];
      let text = "";
      while (text.length < 3 * windowBytes) {
        const size = Math.min(sizes.next().value ?? 0, most);
        const string = JSON.stringify(`${"\\".repeat(size % 7)}${"a".repeat(size)}${'"'.repeat(size % 3)}`);
        opening.push(text.length);
        expected.push(text.length + string.length);
        text += string;
      }
      expect(allEnds(encodeUtf8(text), opening)).toEqual(expected);
    }),
    { numRuns: runs(20) },
  );
});

it("accepts the same texts as the scan of single bytes, wherever a byte was changed", () => {
  const parts = fc.constantFrom(
    "\\",
    '"',
    "u",
    "00e9",
    "n",
    "\n",
    "\u001f",
    " ",
    "x",
    ":",
    "é",
    "a".repeat(30),
    "b".repeat(64),
  );
  let valid = 0;
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 60 }), fc.nat(80), (pieces, shift) => {
      const text = encodeUtf8(`[${" ".repeat(1_024 + shift)}"${pieces.join("")}","${"c".repeat(shift)}"]`);
      const narrow = endOf(text);
      wideScan.open(text);
      const wide = endOf(text);
      wideScan.close();
      expect(wide).toBe(narrow);
      if (narrow === text.length) valid += 1;
    }),
    { numRuns: runs(20_000) },
  );
  expect(valid).toBeGreaterThan(runs(20_000) / 50);
});

const endOf = (text: Uint8Array): number => skipValue(text, skipBlank(text, 0), budgetOf({}));
