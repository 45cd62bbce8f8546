import { test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { anyChanges, anyClientData, anyKey } from "../../test-support/any-client-data.ts";
import type { Json } from "../wire/json.ts";
import { type ClientData, type ClientDataChanges, clientDataProblem, mergeClientData } from "./client-data.ts";

describe("a merge", () => {
  test.prop([anyClientData, anyChanges])(
    "sets each key to its last change, and leaves the others unchanged",
    (current, given) => {
      const merged = mergedOf(current, given);
      for (const key of new Set([...Object.keys(current), ...given.map(([changed]) => changed)])) {
        const last = given.findLast(([changed]) => changed === key);
        const wanted = last === undefined ? ownValue(current, key) : (last[1] ?? undefined);
        expect(ownValue(merged, key)).toEqual(wanted);
        expect(Object.hasOwn(merged, key)).toBe(wanted !== undefined);
      }
    },
  );

  test.prop([anyClientData, anyChanges, anyChanges])(
    "in two steps has the result of one step",
    (current, first, second) => {
      expect(mergedOf(mergedOf(current, first), second)).toEqual(mergedOf(current, [...first, ...second]));
    },
  );

  test.prop([anyClientData, anyChanges])("is idempotent", (current, given) => {
    const once = mergedOf(current, given);
    expect(mergedOf(once, given)).toEqual(once);
  });

  test.prop([anyClientData, anyChanges])(
    "leaves what it was given as it was, and no object's prototype",
    (current, given) => {
      const before = JSON.stringify([current, given]);
      const merged = mergedOf(current, given);
      expect(JSON.stringify([current, given])).toBe(before);
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    },
  );

  test.prop([anyClientData, anyChanges])("survives serialization as JSON", (current, given) => {
    const merged = mergedOf(current, given);
    const read: ClientData = JSON.parse(JSON.stringify(merged));
    expect(Object.keys(read)).toEqual(Object.keys(merged));
    expect(mergedOf(read, [])).toEqual(merged);
  });

  it("keeps a null that existed, and one within a value", () => {
    expect(mergedOf({ old: null }, [["a", [null, { b: null }]]])).toEqual({ old: null, a: [null, { b: null }] });
  });

  it("treats an own __proto__ as any other member", () => {
    const nested: Json = JSON.parse('{"__proto__":{"polluted":true}}');
    const merged = mergedOf({}, [
      ["__proto__", { polluted: true }],
      ["a", nested],
    ]);
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}');
    expect(Reflect.get(merged, "polluted")).toBeUndefined();
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(mergedOf(merged, [["__proto__", null]])).toEqual({ a: nested });
  });
});

describe("a merge refuses", () => {
  it("more than 200 keys, counted after all changes", () => {
    const full = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`key-${at}`, at]));
    expect(mergeClientData(full, [["one more", 1]])).toEqual({
      problem: "has more than 200 keys. Remove some by setting them to null.",
    });
    expect(Object.keys(mergedOf(full, [["key-0", "changed"]]))).toHaveLength(200);
    const swapped: ClientDataChanges = [
      ["one more", 1],
      ["key-0", null],
    ];
    expect(Object.keys(mergedOf(full, swapped))).toHaveLength(200);
  });

  it.each([
    ["plain letters", "x", 1],
    ["letters of two bytes", "é", 2],
    ["letters of four bytes", "🙂", 4],
    ["quotes, which JSON escapes", '"', 2],
    ["NULs, which JSON escapes", "\u0000", 6],
    ["lone surrogates, which JSON escapes", "\ud800", 6],
  ])("more than 65,536 bytes of compact JSON, in %s", (_, character, bytes) => {
    const room = 65_536 - '{"a":""}'.length;
    const count = Math.floor(room / bytes);
    const full = character.repeat(count) + "x".repeat(room - count * bytes);
    expect(mergedOf({}, [["a", full]])).toEqual({ a: full });
    expect(mergeClientData({}, [["a", `${full}x`]])).toEqual({
      problem: "is larger than 65536 bytes. Remove keys by setting them to null.",
    });
  });
});

describe("the key of an entry", () => {
  it.each([
    "a",
    "user_id",
    "5",
    "sessions",
    "session_id",
    "Session",
    "my.session",
    "imagesOf",
    "session",
    "company",
    "assistant",
    "session-id",
    "images[x]",
    "日本",
    " ",
    "x".repeat(128),
  ])("may be %j", (key) => expect(clientDataProblem(key, 1)).toBeUndefined());

  it.each(["__proto__", "constructor", "prototype"])("is not %j", (key) => {
    expect(clientDataProblem(key, 1)).toBe(`has the key "${key}", which is not allowed. Rename it.`);
  });

  it.each(["$", "a$b", "{", "a}", "\u0000", "a\nb", "\u007f", "\u0085"])("has no character of %j", (key) => {
    expect(clientDataProblem(key, 1)).toBe(
      `has the key ${JSON.stringify(key)}, which contains $, {, } or a control character. Rename it.`,
    );
  });

  it.each(["images", "images[0]", "images[12]", "session.id", "session.x", "company.", "assistant.x.y"])(
    "is not the system's %j",
    (key) => expect(clientDataProblem(key, 1)).toBe(`has the key "${key}", which is reserved. Rename it.`),
  );

  it("has 1 to 128 characters, and one outside the basic plane is one", () => {
    expect(clientDataProblem("", 1)).toBe('has the key "", which is not 1 to 128 characters long. Rename it.');
    expect(clientDataProblem("🙂".repeat(128), 1)).toBeUndefined();
    for (const character of ["x", "🙂"]) {
      const shown = JSON.stringify(character.repeat(128));
      const problem = `has the key ${shown}, which is not 1 to 128 characters long. Rename it.`;
      expect(clientDataProblem(character.repeat(129), 1)).toBe(problem);
      expect(clientDataProblem(character.repeat(100_000), 1)).toBe(problem);
    }
  });

  test.prop([anyKey])("is quoted in the problem without raw control characters", (key) => {
    const problem = clientDataProblem(key, nested(20)) ?? "";
    expect([...problem].filter((character) => character < " ")).toEqual([]);
  });
});

describe("the value of an entry", () => {
  it("has at most 16 levels, the first of which is client_data itself", () => {
    expect(clientDataProblem("a", nested(15))).toBeUndefined();
    expect(clientDataProblem("a", nested(16))).toBe("is nested more than 16 levels deep. Flatten it.");
  });

  it("counts arrays and empty containers as levels, and their primitive values as none", () => {
    expect(clientDataProblem("a", JSON.parse(`${"[".repeat(15)}1${"]".repeat(15)}`))).toBeUndefined();
    expect(clientDataProblem("a", JSON.parse("[".repeat(16) + "]".repeat(16)))).toBeDefined();
    expect(clientDataProblem("a", [1, [], nested(15)])).toBeDefined();
    expect(clientDataProblem("a", JSON.parse(`{"__proto__":${JSON.stringify(nested(15))}}`))).toBeDefined();
  });

  it.each(["1e999", "-1e999", '{"a":[1,{"b":1e999}]}'])(
    "is no number beyond all, as in %s, which would be kept as null",
    (json) => {
      expect(clientDataProblem("a", JSON.parse(json))).toBe(
        'has a number under "a" that is too large. Send it as a string.',
      );
    },
  );

  it("is refused even when it is too deep for recursion", () => {
    expect(clientDataProblem("a", nested(5_000))).toBeDefined();
  });
});

function mergedOf(current: ClientData, given: ClientDataChanges): ClientData {
  const merged = mergeClientData(current, given);
  if ("problem" in merged) throw new Error(`The merge was refused: ${merged.problem}`);
  return merged.clientData;
}

function ownValue(data: ClientData, key: string): Json | undefined {
  return Object.getOwnPropertyDescriptor(data, key)?.value;
}

function nested(levels: number): Json {
  let value: Json = "end";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { down: value } : [value];
  return value;
}
