import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "./bytes.ts";
import { inspectRequest } from "./forwarding/inspect-request.ts";
import { isNamed, type JsonMember, keepElements, nameOf, scanJson } from "./json-members.ts";

const encoder = new TextEncoder();

function membersOf(text: string): readonly JsonMember[] {
  const scan = scanJson(encoder.encode(text));
  if ("exceeded" in scan) throw new Error(`exceeded ${scan.exceeded}`);
  return scan.members;
}

function pairsOf(text: string): readonly (readonly [string, string])[] {
  const bytes = encoder.encode(text);
  const decode = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  return membersOf(text).map((member) => [
    decode(member.keyStart, member.keyEnd),
    decode(member.valueStart, member.valueEnd),
  ]);
}

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("scanJson", () => {
  it("returns keys and values in order, without the white space around them", () => {
    expect(pairsOf(' {\t"a" : 1e5 ,\n"b":"x,}\\"]" , "c":[1, {"d":2}]\r, "e" :{ } ,"f":null} ')).toEqual([
      ['"a"', "1e5"],
      ['"b"', '"x,}\\"]"'],
      ['"c"', '[1, {"d":2}]'],
      ['"e"', "{ }"],
      ['"f"', "null"],
    ]);
  });

  it("finds the end of a string with any number of backslashes before a quote", () => {
    for (let length = 0; length < 80; length++) {
      for (let backslashes = 0; backslashes < 6; backslashes++) {
        const value = JSON.stringify(`${"a".repeat(length)}${"\\".repeat(backslashes)}"${"é".repeat(length)}`);
        const other = JSON.stringify("a".repeat(length) + "\\".repeat(backslashes));
        expect(pairsOf(`{"a":${value},"b":${other}}`)).toEqual([
          ['"a"', value],
          ['"b"', other],
        ]);
      }
    }
  });

  it("recognizes a name in any spelling with escapes", () => {
    const text = '{"model":1,"mod\\u0065l":2,"mödel":3,"m\\u00f6del":4,"":5}';
    const members = membersOf(text);
    const bytes = encoder.encode(text);
    expect(members.map((member) => nameOf(bytes, member))).toEqual(["model", "model", "mödel", "mödel", ""]);
    expect(members.map((member) => isNamed(bytes, member, "model"))).toEqual([true, true, false, false, false]);
    expect(members[0]?.hash).toBe(members[1]?.hash);
    expect(members[2]?.hash).toBe(members[3]?.hash);
  });

  it.each(["1", '"a{"', "[1,2]", "{}", " { } ", "null"])("finds no members in %s", (text) => {
    expect(membersOf(text)).toEqual([]);
  });

  it("accepts a depth of 100 and not of 101, in objects, arrays and both", () => {
    const object = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
    const texts = [object, nested, (depth: number) => `{"first":[1],"a":${nested(depth - 1)}}`];
    for (const make of texts) {
      expect(scanJson(encoder.encode(make(100)))).toHaveProperty("members");
      expect(scanJson(encoder.encode(make(101)))).toEqual({ exceeded: "depth" });
    }
  });

  it("does not count brackets in strings", () => {
    expect(pairsOf(`{"a":["${"[{".repeat(500)}"]}`)).toHaveLength(1);
  });

  it("does not overflow the stack at a depth of 200,000", () => {
    expect(scanJson(encoder.encode(nested(200_000)))).toEqual({ exceeded: "depth" });
    expect(scanJson(encoder.encode(`{"a":${nested(200_000)}}`), { maxDepth: 1e6, maxContainers: 1e6 })).toHaveProperty(
      "members.length",
      1,
    );
  });

  it.each([
    ["the top", (object: string) => object],
    ["the second level", (object: string) => `{"a":[1],"b":${object}}`],
    ["an element of an array", (object: string) => `[{},[${object}]]`],
  ])("accepts 50,000 members at %s and not one more", (_, around) => {
    const text = (count: number): string => around(`{${Array(count).fill('"":{"b":[0,0]}').join()}}`);
    expect(scanJson(encoder.encode(text(50_000)), { maxContainers: 1e6 })).toHaveProperty("members");
    expect(scanJson(encoder.encode(text(50_001)), { maxContainers: 1e6 })).toEqual({ exceeded: "members" });
  });

  it("accepts 100,000 objects and arrays in any arrangement, and not one more", () => {
    const holding = (count: number): string => `{"a":[${"{},".repeat(count - 5)}{}],"b":1,"c":[[]]}`;
    expect(membersOf(holding(100_000))).toHaveLength(3);
    expect(scanJson(encoder.encode(holding(100_001)))).toEqual({ exceeded: "containers" });
    expect(scanJson(encoder.encode(`[${"[],".repeat(100_000)}[]]`))).toEqual({ exceeded: "containers" });
  });

  it("accepts 1,000,000 values, including the top-level value, and not one more", () => {
    const holding = (count: number): string => `{"a":[${"0,".repeat(count - 9)}0],"b":{"c":[ ],"d":{}},"e":[[1]]}`;
    expect(membersOf(holding(1_000_000))).toHaveLength(3);
    expect(scanJson(encoder.encode(holding(1_000_001)))).toEqual({ exceeded: "values" });
    expect(scanJson(encoder.encode(`[${"0,".repeat(999_998)}0]`))).toHaveProperty("members");
    expect(scanJson(encoder.encode(`[${"0,".repeat(999_999)}0]`))).toEqual({ exceeded: "values" });
  });

  it("accepts a batch of embeddings with 300,000 numbers", () => {
    const batch = Array.from({ length: 200 }, (_, at) => Array(1_500).fill(at / 7));
    expect(membersOf(JSON.stringify({ input: batch }))).toHaveLength(1);
  });

  it.each([
    "",
    "{",
    '{"',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":"',
    '{"a":"\\',
    '{"a":[',
    "{,}",
    '{"a" 1}',
    '{"\\x":1}',
    "}",
    '{"\\',
  ])("ends for %j, which is not JSON", (text) => {
    expect(scanJson(encoder.encode(text))).toHaveProperty("members");
  });
});

it("keeps elements as they were sent", () => {
  const bytes = encodeUtf8('{"a":1,"tools": [ {"x":1.10,"n":[1,2]} , "é" ,12345678901234567890,[]]}');
  const inspection = inspectRequest(bytes);
  const member = "exceeded" in inspection ? undefined : inspection.members[1];
  if (member === undefined) throw new Error("The text has a second member.");
  const kept = (...indexes: number[]) => keepElements(bytes, member, (index) => indexes.includes(index));
  expect(kept(0, 2)).toBe('[{"x":1.10,"n":[1,2]},12345678901234567890]');
  expect(kept(1, 3)).toBe('["é",[]]');
  expect(kept()).toBe("[]");
});
