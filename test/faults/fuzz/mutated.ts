import fc from "fast-check";

/** Returns texts of a corpus with up to six changes: flipped bits, cuts, splices, nesting, long strings and odd numbers. */
export function mutated(corpus: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const mutations = fc.array(mutation(corpus), { maxLength: 6 });
  return fc
    .tuple(corpus, mutations)
    .map(([text, changes]) => changes.reduce((bytes, change) => apply(change, bytes), encode(text)));
}

type Mutation =
  | { readonly kind: "flip"; readonly at: number; readonly bit: number }
  | { readonly kind: "truncate"; readonly at: number }
  | { readonly kind: "delete" | "repeat"; readonly at: number; readonly length: number; readonly times: number }
  | {
      readonly kind: "splice";
      readonly at: number;
      readonly from: number;
      readonly length: number;
      readonly text: string;
    }
  | { readonly kind: "insert"; readonly at: number; readonly text: string }
  | { readonly kind: "number"; readonly at: number; readonly text: string };

const tokens = [
  ...'" \\ { } [ ] , : null true {} [] "" \\u0000 \\ud800 \\ __proto__ constructor prototype toString'.split(" "),
  ...'"__proto__":{"polluted":1}, "constructor":{"prototype":{"polluted":1}}, "model":"plain", "stream":true,'.split(
    " ",
  ),
  ..."data: event: id: : [DONE] error message_stop response.completed".split(" "),
  ...["\n", "\r", "\n\n", "\r\n\r\n", "\0", "\ufeff", "\u2028", "é", "🦊", "\u0001", "$", "$&", "$" + "{a}", "%", "--"],
];

/** Numbers at which readers of numbers differ. */
export const oddNumbers = [
  ..."0 -0 -1 1e999 -1e999 1e-999 0.1 1e21 9007199254740993 18446744073709551616 4294967296 2147483648 01 +1 .5 NaN".split(
    " ",
  ),
  ...[`1${"0".repeat(400)}`, `0.${"0".repeat(400)}1`, `-${"9".repeat(40)}`, '"5"', "null", "[]", "{}", "true"],
];

const at = fc.nat();

function mutation(corpus: fc.Arbitrary<string>): fc.Arbitrary<Mutation> {
  const some = fc.nat({ max: 200 });
  const long = fc.tuple(
    fc.constantFrom(
      "[",
      '{"a":',
      '"',
      "x",
      "\\",
      "é",
      " ",
      "\n",
      "data: x\n",
      "1",
      '"a":1,',
      "$a",
      '\\"',
      "$" + "{",
      "[1",
      "%",
      "$a[",
    ),
    fc.nat({ max: 20_000 }),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("flip" as const), at, bit: fc.nat({ max: 7 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("truncate" as const), at }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom("delete" as const, "repeat" as const),
        at,
        length: some,
        times: fc.nat({ max: 40 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("splice" as const), at, from: at, length: some, text: corpus }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("insert" as const), at, text: fc.constantFrom(...tokens) }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("number" as const), at, text: fc.constantFrom(...oddNumbers) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("insert" as const),
        at,
        text: long.map(([unit, times]) => unit.repeat(times)),
      }),
    },
  );
}

function apply(change: Mutation, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const place = bytes.length === 0 ? 0 : change.at % bytes.length;
  switch (change.kind) {
    case "flip":
      return bytes.map((byte, index) => (index === place ? byte ^ (1 << change.bit) : byte));
    case "truncate":
      return bytes.slice(0, place);
    case "delete":
      return replace(bytes, place, change.length, []);
    case "repeat":
      return replace(bytes, place, 0, Array(change.times).fill(bytes.slice(place, place + change.length)));
    case "splice":
      return replace(bytes, place, change.length, [
        encode(change.text)
          .slice(change.from % (change.text.length + 1))
          .slice(0, change.length),
      ]);
    case "insert":
      return replace(bytes, place, 0, [encode(change.text)]);
    case "number":
      return replaceNumber(bytes, change);
  }
}

/** Replaces one of the numbers in a text. */
function replaceNumber(bytes: Uint8Array<ArrayBuffer>, { at, text }: { readonly at: number; readonly text: string }) {
  const numbers = [
    ...Buffer.from(bytes)
      .toString("latin1")
      .matchAll(/-?\d+(?:\.\d+)?/g),
  ];
  const found = numbers[at % Math.max(1, numbers.length)];
  return found === undefined ? bytes : replace(bytes, found.index, found[0].length, [encode(text)]);
}

function replace(
  bytes: Uint8Array,
  start: number,
  length: number,
  parts: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([bytes.subarray(0, start), ...parts, bytes.subarray(start + length)]));
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
