import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "./json.ts";
import { parseLosslessJson, readLosslessScalar } from "./lossless-json.ts";
import { parseInSteps } from "./parse-in-steps.ts";

function parse(text: string, readScalar?: (token: string) => Json): { value: Json; steps: number } {
  const work = parseInSteps(text, readScalar);
  for (let steps = 1; ; steps++) {
    const { done, value } = work.next();
    if (done === true) return { value, steps };
  }
}

/** The value that a parser returns, with the order of the members; "refused" if it throws a SyntaxError. */
function outcome(read: () => Json): string {
  try {
    return `value ${JSON.stringify(read())}`;
  } catch (error) {
    if (error instanceof SyntaxError) return "refused";
    throw error;
  }
}

const tokens = fc.constantFrom(
  ...["[", "]", "{", "}", ",", ":", " ", "\n", "\u00a0", "\u0000", '"', '""', '"a":', '"1":0,', '"__proto__":', "{}"],
  ...["-", "0", "01", "1.50", "1e5", "null", "true", "tru", '"\\u0041"', '"\\"', '"\\x"', '"\\\\"', '"\t"', "é", "\\"],
);

describe("parseInSteps", () => {
  it("returns the same value as JSON.parse for any JSON text", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parse(text).value).toEqual(JSON.parse(text));
        expect(JSON.stringify(parse(text).value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("accepts and rejects the same texts as JSON.parse", () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        expect(outcome(() => parse(text).value)).toBe(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("accepts and rejects the same as JSON.parse if one character of a text is changed", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), tokens, fc.nat(2), (value, place, token, removed) => {
        const text = JSON.stringify(value);
        const at = place % text.length;
        const changed = text.slice(0, at) + token + text.slice(at + removed);
        expect(outcome(() => parse(changed).value)).toBe(outcome(() => JSON.parse(changed)));
      }),
      { numRuns: 5_000 },
    );
  });

  it("keeps the last of repeated members at the position of the first, and `__proto__` as a member", () => {
    const text = '{"a":1,"b":2,"a":{"__proto__":{"x":1},"__proto__":3},"2":0,"1":0}';
    const { value } = parse(text);
    expect(JSON.stringify(value)).toBe('{"1":0,"2":0,"a":{"__proto__":3},"b":2}');
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("keeps the digits of numbers as parseLosslessJson does", () => {
    const text = '{"a":[1.50,12345678901234567890,-0,0.1,1e5,"1.50",7],"b":1.0}';
    expect(parse(text, readLosslessScalar).value).toEqual(parseLosslessJson(text));
  });

  it("takes a step for each 10,000 values, wherever they are", () => {
    const text = JSON.stringify(Array.from({ length: 4 }, () => ({ a: [Array(9_000).fill(0)] })));
    expect(parse(text).steps).toBe(4);
    expect(parse("[]").steps).toBe(1);
  });
});
