import type { levelNames } from "../inspected-names.ts";
import { isKey } from "../json-members.ts";

/** The kinds of objects in a request. */
export type LevelKind = keyof typeof levelNames;

/** The values that the request schema accepts for a member: kinds of JSON values, or certain texts. */
export type Expected = { readonly kinds: number } | { readonly texts: readonly string[] };

/** The members that an object must have, and those with which the scan cannot decide, as bits of the level. */
export interface Shape {
  readonly required: number;
  readonly excluded: number;
}

/** Kinds of JSON values, as bits. */
const text = 1;
const nothing = 2;
const object = 4;
const array = 8;
const other = 16;

const functionType: Expected = { texts: ["function"] };

/** The rules of `chat-completion-request.ts` for messages and tools. A property test compares the two. */
const expected: { readonly [Kind in LevelKind]?: Readonly<Record<string, Expected>> } = {
  request: { messages: { kinds: array }, tools: { kinds: array | nothing } },
  message: {
    role: { texts: ["system", "developer", "user", "assistant", "tool"] },
    content: { kinds: text | array | nothing },
    name: { kinds: text | nothing },
    tool_call_id: { kinds: text | nothing },
    tool_calls: { kinds: array | nothing },
  },
  part: { type: { texts: ["text", "image_url"] }, text: { kinds: text }, image_url: { kinds: object } },
  image: { url: { kinds: text }, detail: { kinds: text | nothing } },
  call: { id: { kinds: text }, type: functionType, function: { kinds: object } },
  called: { name: { kinds: text }, arguments: { kinds: text } },
  tool: { type: functionType, function: { kinds: object } },
  function: { name: { kinds: text }, description: { kinds: text | nothing }, parameters: { kinds: object } },
};

/** Returns the values that the schema accepts for a member. Undefined if the member is parsed later or may have any value. */
export const expectedAt = (kind: LevelKind, name: string): Expected | undefined => expected[kind]?.[name];

interface ShapeNames {
  readonly required: readonly string[];
  readonly excluded?: readonly string[];
}

/** The shapes of a part have the order of its types. */
const shapes: { readonly [Kind in LevelKind]?: readonly [ShapeNames, ...ShapeNames[]] } = {
  request: [{ required: ["messages"] }],
  message: [{ required: ["role"] }],
  part: [
    { required: ["type", "text"], excluded: ["image_url", "content"] },
    { required: ["type", "image_url"], excluded: ["content"] },
  ],
  image: [{ required: ["url"] }],
  call: [{ required: ["id", "type", "function"] }],
  called: [{ required: ["name", "arguments"] }],
  tool: [{ required: ["type", "function"] }],
  function: [{ required: ["name", "parameters"] }],
};

/** The shapes of an object of a kind: a single one, or one for each type. */
export function shapesOf(kind: LevelKind, bitOf: (name: string) => number): readonly [Shape, ...Shape[]] {
  const bits = (names: readonly string[]) => names.reduce((sum, name) => sum | bitOf(name), 0);
  const [first, ...others] = (shapes[kind] ?? [{ required: [] }]).map(({ required, excluded = [] }) => ({
    required: bits(required),
    excluded: bits(excluded),
  }));
  return [first ?? { required: 0, excluded: 0 }, ...others];
}

/** Returns the index of the expected text that a value equals, 0 if it is of an expected kind, or a negative number otherwise. */
export function matchExpected(expected: Expected, bytes: Uint8Array, valueStart: number, valueEnd: number): number {
  if ("kinds" in expected) return (kindAt(bytes, valueStart) & expected.kinds) === 0 ? -1 : 0;
  const { texts } = expected;
  for (let i = 0; i < texts.length; i++) if (isKey(bytes, valueStart, valueEnd, texts[i] ?? "")) return i;
  return -1;
}

function kindAt(bytes: Uint8Array, valueStart: number): number {
  switch (bytes[valueStart]) {
    case 0x22:
      return text;
    case 0x6e:
      return nothing;
    case 0x7b:
      return object;
    case 0x5b:
      return array;
    default:
      return other;
  }
}
