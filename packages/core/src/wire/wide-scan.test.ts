import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import wabt from "wabt";
import { encodeUtf8 } from "./bytes.ts";
import { scanJson } from "./json-members.ts";
import { failed, skipString } from "./json-skip.ts";
import { skipStringModule, WideScan } from "./wide-scan.ts";

afterEach(() => vi.unstubAllGlobals());

const windowBytes = 65_536;

/** The end of the string at the start of a text by both scans. A scan that finds no end returns -1. */
function endsOf(text: string): { wide: number; narrow: number } {
  const bytes = encodeUtf8(text);
  const scan = new WideScan(windowBytes);
  scan.open(bytes);
  expect(scan.scans(bytes)).toBe(true);
  const narrow = skipString(bytes, 0);
  return { wide: scan.skipString(1), narrow: narrow === failed.syntax ? -1 : narrow };
}

it("is what the text format compiles to", async () => {
  const source = readFileSync(new URL("skip-string.wat", import.meta.url), "utf8");
  const { buffer } = (await wabt()).parseWat("skip-string.wat", source, { simd: true }).toBinary({});
  expect(Buffer.from(buffer).toString("base64")).toBe(skipStringModule);
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
  expect(scan.skipString(1)).toBe(18_002);
  scan.open(encodeUtf8(`"${"a".repeat(9_000)}`));
  expect(scan.skipString(1)).toBe(-1);
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
