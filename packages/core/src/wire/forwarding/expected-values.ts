import type { levelNames } from "../inspected-names.ts";
import { isKey } from "../json-members.ts";

/** The values that the schema of a request accepts for a member: kinds of JSON values, or certain texts. */
export type Expected = { readonly kinds: number } | { readonly texts: readonly string[] };

/** Kinds of JSON values, as bits. */
export const kind = { text: 1, nothing: 2, object: 4, array: 8, flag: 16, emptyText: 32, other: 64 } as const;

/** The members that an object must have, other than null, and those with which the scan cannot decide. */
interface ShapeNames {
  readonly required: readonly string[];
  readonly excluded?: readonly string[];
}

/**
 * What the schema of a request requires of one kind of object, as far as a scan can decide it without parsing. What a scan
 * accepts by these rules, the schema accepts too.
 */
export interface LevelRules {
  /** The values of members. A member that is not named is parsed later, or may have any value. */
  readonly expected?: Readonly<Record<string, Expected>>;
  /** A single shape, or one for each text that is expected as `type`. An object without a type has the first. */
  readonly shapes?: readonly [ShapeNames, ...ShapeNames[]];
}

/** Members whose value is a text, and may be empty. */
export const anyText: Expected = { kinds: kind.text | kind.emptyText };
/** Optional texts. */
export const optionalText: Expected = { kinds: kind.text | kind.emptyText | kind.nothing };
/** Members whose value is an object. */
export const anyObject: Expected = { kinds: kind.object };

const functionType: Expected = { texts: ["function"] };
const optionalArray: Expected = { kinds: kind.array | kind.nothing };

/** The rules of `chat-completion-request.ts` for messages and tools. A property test compares the two. */
export const chatRules: { readonly [Kind in keyof typeof levelNames]?: LevelRules } = {
  request: {
    expected: { messages: { kinds: kind.array }, tools: optionalArray },
    shapes: [{ required: ["messages"] }],
  },
  message: {
    expected: {
      role: { texts: ["system", "developer", "user", "assistant", "tool"] },
      content: { kinds: kind.text | kind.emptyText | kind.array | kind.nothing },
      name: optionalText,
      tool_call_id: optionalText,
      tool_calls: optionalArray,
    },
    shapes: [{ required: ["role"] }],
  },
  part: {
    expected: { type: { texts: ["text", "image_url"] }, text: anyText, image_url: anyObject },
    shapes: [
      { required: ["type", "text"], excluded: ["image_url", "content"] },
      { required: ["type", "image_url"], excluded: ["content"] },
    ],
  },
  image: { expected: { url: anyText, detail: optionalText }, shapes: [{ required: ["url"] }] },
  call: {
    expected: { id: anyText, type: functionType, function: anyObject },
    shapes: [{ required: ["id", "type", "function"] }],
  },
  called: { expected: { name: anyText, arguments: anyText }, shapes: [{ required: ["name", "arguments"] }] },
  tool: { expected: { type: functionType, function: anyObject }, shapes: [{ required: ["type", "function"] }] },
  function: {
    expected: { name: anyText, description: optionalText, parameters: anyObject },
    shapes: [{ required: ["name", "parameters"] }],
  },
};

/** A shape, as bits of the names of its level. */
export interface Shape {
  readonly required: number;
  readonly excluded: number;
}

/** Returns the shapes of a level as bits. */
export function shapesOf({ shapes }: LevelRules, bitOf: (name: string) => number): readonly [Shape, ...Shape[]] {
  const bits = (names: readonly string[]) => names.reduce((sum, name) => sum | bitOf(name), 0);
  const [first, ...others] = (shapes ?? [{ required: [] }]).map(({ required, excluded = [] }) => ({
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
      return bytes[valueStart + 1] === 0x22 ? kind.emptyText : kind.text;
    case 0x6e:
      return kind.nothing;
    case 0x7b:
      return kind.object;
    case 0x5b:
      return kind.array;
    case 0x74:
    case 0x66:
      return kind.flag;
    default:
      return kind.other;
  }
}
