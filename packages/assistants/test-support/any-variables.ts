import type { Json } from "@tollgate/core/provider";
import fc from "fast-check";

const naughty = [
  ...'$a $$ $& $` $\' $1 . .. %2e %2E. / \\ ? # & = @ : % 🦊 é " "} ","admin":true,"x":" ] } , null true -0'.split(" "),
  ..."__proto__ constructor 1e999 <script> //evil.example @evil.example".split(" "),
  ...[
    "",
    " ",
    "$" + "{a}",
    "\r\nX-Evil: 1",
    "\0",
    "\t",
    "\u007f",
    "\u0085",
    "\u2028",
    "\ufeff",
    "\ud800",
    "\udc00",
    "' OR 1=1 --",
  ],
];

/** Texts that have broken templates, URLs, headers or JSON. */
export const anyText = fc.oneof(
  fc.constantFrom(...naughty),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.array(fc.constantFrom(...naughty), { maxLength: 3 }).map((parts) => parts.join("")),
);
const json = fc.oneof({ arbitrary: anyText, weight: 3 }, fc.jsonValue({ maxDepth: 2 })).map((value) => asJson(value));

/** Keys that begin like the names in the templates, followed by text of the templates or other text. */
const hostileKeys = [
  ...'a ab b abc list user user.name images} images] a,[1] a] a} a" a":1 a/b a?x a&b a=b a# a$b a$ a{b} $a'.split(" "),
  ...'__proto__ constructor list[0] list[0], user.name} b"} a.b a-b images[0 a\\ a/ ab/$ list, b,$'.split(" "),
  "a ",
];
const key = fc.oneof(
  { arbitrary: fc.constantFrom(...hostileKeys), weight: 4 },
  fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
);
const named = fc.record({
  a: json,
  b: json,
  list: fc.array(json, { minLength: 1, maxLength: 3 }),
  user: fc.record({ name: json }),
});
/** Client data with the variables of the templates, and keys that begin like them. */
export const anyVariables = fc
  .tuple(named, fc.array(fc.tuple(key, json), { maxLength: 8 }))
  .map(([data, entries]): Record<string, Json> => Object.fromEntries([...Object.entries(data), ...entries]));

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}
