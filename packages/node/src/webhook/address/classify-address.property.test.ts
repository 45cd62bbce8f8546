import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { classifyAddress } from "./classify-address.ts";
import { formatAddress } from "./format-address.ts";
import { parseAddress } from "./parse-address.ts";

// Repeated as numbers, so that an error in the tables of the package is not copied into the test.
const refused4 = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc01fc400, 24],
  [0xc034c100, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc0af3000, 24],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
  [0xa83f8110, 32],
].map(([first = 0, bits = 0]) => rangeOf(BigInt(first), bits, 32));
const global6 = rangeOf(0x2000n << 112n, 3, 128);
const refused6 = [
  rangeOf(0x20010000n << 96n, 23, 128),
  rangeOf(0x20010db8n << 96n, 32, 128),
  rangeOf(0x2002n << 112n, 16, 128),
  rangeOf(0x3fffn << 112n, 20, 128),
  rangeOf(0x2620004f8000n << 80n, 48, 128),
];

const bits4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n });
const bits6 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
const edges = (ranges: readonly Range[]) => fc.constantFrom(...ranges.flatMap(edgesOf));
const inside = (ranges: readonly Range[]) =>
  fc.constantFrom(...ranges).chain(({ first, last }) => fc.bigInt({ min: first, max: last }));
const any4 = fc.oneof(bits4, inside(refused4), edges(refused4)).filter((bits) => bits >= 0n && bits < 1n << 32n);
const any6 = fc.oneof(bits6, inside([global6, ...refused6]), edges([global6, ...refused6]));

describe("classifyAddress", () => {
  test.prop([any4, fc.nat()])(
    "accepts exactly the IPv4 addresses outside every refused range, in every spelling",
    (bits, pick) => {
      const global = !refused4.some((range) => holds(range, bits));
      for (const text of [dotted(bits), ...spellings((0xffffn << 32n) | bits, pick)]) {
        expect([text, kindOf(text) === "global"]).toEqual([text, global]);
      }
    },
  );

  test.prop([any6, fc.nat()])(
    "accepts the IPv6 addresses of 2000::/3 except the refused ranges, in every spelling",
    (bits, pick) => {
      const global = holds(global6, bits) && !refused6.some((range) => holds(range, bits));
      fc.pre(bits >> 32n !== 0xffffn && !isIsatap(bits));
      for (const text of spellings(bits, pick)) {
        expect([text, kindOf(text) === "global"]).toEqual([text, global]);
      }
    },
  );

  test.prop([bits4, inside([global6]), fc.boolean()])(
    "checks the IPv4 address within an ISATAP address",
    (v4, prefix, u) => {
      const bits = ((prefix >> 64n) << 64n) | ((u ? 0x02005efen : 0x00005efen) << 32n) | v4;
      const global = !refused6.some((range) => holds(range, bits)) && !refused4.some((range) => holds(range, v4));
      expect(kindOf(spellings(bits, 0)[0] ?? "") === "global").toBe(global);
    },
  );
});

describe("parseAddress", () => {
  test.prop([
    fc.oneof(
      bits4.map(dotted),
      bits6.map((bits) => spellings(bits, 0)[0] ?? ""),
    ),
  ])("parses what formatAddress writes", (text) => {
    const bytes = parseAddress(text) ?? new Uint8Array();
    expect(parseAddress(formatAddress(bytes))).toEqual(bytes);
  });
});

interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

function rangeOf(first: bigint, bits: number, width: number): Range {
  return { first, last: first + (1n << BigInt(width - bits)) - 1n };
}

function edgesOf({ first, last }: Range): bigint[] {
  return [first - 1n, first, last, last + 1n];
}

function holds({ first, last }: Range, bits: bigint): boolean {
  return bits >= first && bits <= last;
}

function isIsatap(bits: bigint): boolean {
  return ((bits >> 32n) & 0xfdffffffn) === 0x00005efen;
}

function kindOf(text: string) {
  const bytes = parseAddress(text);
  return bytes && classifyAddress(bytes).kind;
}

function dotted(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join(".");
}

/**
 * Spellings: all groups, padded, in capitals, with an IPv4 tail, as `URL` writes it, and with one run of zeros
 * shortened.
 */
function spellings(bits: bigint, pick: number): string[] {
  const groups = Array.from({ length: 8 }, (_, at) => ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  const full = groups.join(":");
  const padded = groups.map((group) => group.padStart(4, "0")).join(":");
  const tailed = `${groups.slice(0, 6).join(":")}:${dotted(bits & 0xffffffffn)}`;
  const runs = [...full.matchAll(/(?<![0-9a-f])0(?::0)*(?![0-9a-f])/g)];
  const run = runs[pick % Math.max(1, runs.length)];
  const shortened = run ? shorten(full, run.index, run[0].length) : full;
  return [full, padded, full.toUpperCase(), tailed, new URL(`http://[${full}]/`).hostname.slice(1, -1), shortened];
}

function shorten(text: string, at: number, length: number): string {
  return `${text.slice(0, at).replace(/:$/, "")}::${text.slice(at + length).replace(/^:/, "")}`;
}
