import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import type { MemberChange } from "../edits.ts";
import { scanJson } from "../json-members.ts";
import { spliceMembers } from "./splice-members.ts";

const encoder = new TextEncoder();

function splice(text: string, changes: Record<string, string | undefined>): string {
  const bytes = encoder.encode(text);
  const scan = scanJson(bytes);
  if ("exceeded" in scan) throw new Error(`exceeded ${scan.exceeded}`);
  return new TextDecoder().decode(spliceMembers(bytes, scan.members, toChanges(Object.entries(changes))));
}

/** The changes of names and the JSON texts of their new values. */
function toChanges(texts: Iterable<readonly [string, string | undefined]>): readonly MemberChange[] {
  return Array.from(texts, ([name, text]) => ({ name, value: text === undefined ? undefined : JSON.parse(text) }));
}

describe("spliceMembers", () => {
  it.each<[string, string, Record<string, string | undefined>, string]>([
    ["replaces a value in place", '{ "a" : 1 , "b":2 }', { a: '"x"' }, '{ "a" : "x" , "b":2 }'],
    ["adds at the end", '{"a":1 }', { b: "2", c: "[]" }, '{"a":1,"b":2,"c":[] }'],
    ["adds to an empty object", " { } ", { b: "2" }, ' {"b":2 } '],
    ["takes the first away", '{ "a":1, "b":2, "c":3}', { a: undefined }, '{ "b":2, "c":3}'],
    ["takes one between away", '{"a":1, "b":2, "c":3}', { b: undefined }, '{"a":1, "c":3}'],
    ["takes the last away", '{"a":1, "b":2 }', { b: undefined }, '{"a":1 }'],
    ["takes all away", '{ "a":1, "b":2 }', { a: undefined, b: undefined }, "{  }"],
    ["takes all away and adds", '{"a":1,"b":2}', { a: undefined, b: undefined, c: "3" }, '{"c":3}'],
    ["ignores the removal of a missing member", '{"a":1}', { b: undefined }, '{"a":1}'],
    ["keeps the last of several", '{"a":1,"b":2,"a":3,"\\u0061":4}', {}, '{"b":2,"\\u0061":4}'],
    ["replaces the last of several", '{"a":1,"b":2,"a":3}', { a: "9" }, '{"b":2,"a":9}'],
    [
      "keeps the digits of numbers",
      '{"a":1,"b":1.10,"c":12345678901234567890}',
      { a: "2" },
      '{"a":2,"b":1.10,"c":12345678901234567890}',
    ],
    ["writes names and values of any script", '{"é":1}', { é: '"ü"', "日\n": '"本"' }, '{"é":"ü","日\\n":"本"}'],
    [
      "treats __proto__ as any name",
      '{"__proto__":{"a":1},"b":2}',
      { __proto_: "1" },
      '{"__proto__":{"a":1},"b":2,"__proto_":1}',
    ],
  ])("%s", (_, text, changes, expected) => {
    expect(splice(text, changes)).toBe(expected);
  });

  it("returns the expected object with all other bytes unchanged, for any object text", () => {
    fc.assert(
      fc.property(fc.array(anyMember, { maxLength: 20 }), anyChanges, blank, (members, changes, space) => {
        const text = `${space}{${space}${members.map((member) => member.text).join(",")}${space}}${space}`;
        const bytes = encoder.encode(text);
        const scan = scanJson(bytes);
        if ("exceeded" in scan) throw new Error("exceeded");
        const result = new TextDecoder().decode(spliceMembers(bytes, scan.members, toChanges(changes)));
        expect(JSON.parse(result)).toEqual(JSON.parse(rebuild(members, changes)));
        const before = new Map(members.map((member) => [member.name, member.value]));
        expect(valuesOf(result)).toEqual([...expectedValues(before, changes)]);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it("keeps the last of 256 names with the same hash", () => {
    const names = Array.from({ length: 256 }, (_, index) =>
      Array.from({ length: 8 }, (_, bit) => ((index >> bit) & 1 ? "Aa" : "BB")).join(""),
    );
    const text = `{${names.map((name, index) => `"${name}":${index}`).join()}}`;
    expect(splice(text, { [names[100] ?? ""]: "-1" })).toBe(text.replace(":100,", ":-1,"));
    expect(splice(`${text.slice(0, text.indexOf(',"', 2_000))},"${names[0]}":-1}`, {})).toBe(
      `{${text.slice(text.indexOf(",") + 1, text.indexOf(',"', 2_000))},"${names[0]}":-1}`,
    );
  });
});

it("keeps the last of two names among 20,000 members", () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `"k${at}":${at}`).join();
  expect(splice(`{"k7":-1,${many}}`, { k9: "0" })).toBe(`{${many.replace('"k9":9,', '"k9":0,')}}`);
});

interface WrittenMember {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

const blank = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const anyName = fc.oneof(
  fc.constantFrom("model", "a", "__proto__", "constructor", "", "é", "toString", 'q"\\', "\u0000", "1"),
  fc.string({ unit: "binary", maxLength: 5 }),
);
const escapeAll = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`;
const anyValue = fc.oneof(
  fc.json(),
  fc.json({ maxDepth: 4, stringUnit: "binary" }).map((text) => JSON.stringify(JSON.parse(text), null, 2)),
  fc.constantFrom("1.10", "-0", "1E+2", "12345678901234567890", '"\\\\"', "[ ]"),
  fc.string({ unit: "binary", maxLength: 90 }).map((text) => JSON.stringify(text)),
);
const anyMember: fc.Arbitrary<WrittenMember> = fc
  .tuple(anyName, anyValue, fc.boolean(), blank, blank)
  .map(([name, value, escaped, before, after]) => ({
    name,
    value,
    text: `${before}${escaped ? escapeAll(name) : JSON.stringify(name)}${after}:${before}${value}${after}`,
  }));
const anyChanges: fc.Arbitrary<Map<string, string | undefined>> = fc
  .array(fc.tuple(anyName, fc.option(fc.json(), { nil: undefined })), { maxLength: 4 })
  .map((entries) => new Map(entries));

function expectedValues(before: ReadonlyMap<string, string>, changes: ReadonlyMap<string, string | undefined>) {
  const after = new Map(before);
  for (const [name, text] of changes) {
    if (text === undefined) after.delete(name);
    else after.set(name, text);
  }
  return new Map([...after].sort(byName));
}

function rebuild(members: readonly WrittenMember[], changes: ReadonlyMap<string, string | undefined>): string {
  const after = expectedValues(new Map(members.map((member) => [member.name, member.value])), changes);
  return `{${[...after].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}

function valuesOf(text: string): readonly (readonly [string, string])[] {
  const bytes = encoder.encode(text);
  const scan = scanJson(bytes);
  if ("exceeded" in scan) throw new Error("exceeded");
  const decode = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  return scan.members
    .map(
      (member) =>
        [
          String(JSON.parse(decode(member.keyStart, member.keyEnd))),
          decode(member.valueStart, member.valueEnd),
        ] as const,
    )
    .sort(byName);
}

const byName = (a: readonly [string, string], b: readonly [string, string]): number =>
  a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
