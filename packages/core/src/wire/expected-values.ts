import { isJsonObject } from "./json.ts";
import { isKey } from "./json-members.ts";
import { isChoice, isObjects, textsOf } from "./shape-choices.ts";

/** The values that a schema accepts for a member: kinds of JSON values, or certain texts. All have both members, which V8 reads faster. */
export interface Expected {
  /** Bits of `kind`; 0 with texts. */
  readonly kinds: number;
  readonly texts: readonly string[] | undefined;
}

/** Kinds of JSON values, as bits. */
const kind = { text: 1, nothing: 2, object: 4, array: 8, flag: 16, emptyText: 32, number: 64 } as const;

const ofKinds = (kinds: number): Expected => ({ kinds, texts: undefined });
const undecided = ofKinds(0);

/** Expects one of certain texts. */
export const ofTexts = (texts: readonly string[]): Expected => ({ kinds: 0, texts });

/** Texts that are not empty. */
export const filledText = ofKinds(kind.text);

/** Returns the values that a schema is certain to accept, by no more than the bytes with which they begin. */
export function expectedBy(schema: unknown): Expected {
  if (!isJsonObject(schema)) return undecided;
  const { type, pipe, wrapped, check, item } = schema;
  if (Array.isArray(pipe) && !pipe.every(isDecided)) return undecided;
  switch (type) {
    case "string":
      return ofKinds(kind.text | kind.emptyText);
    case "boolean":
      return ofKinds(kind.flag);
    case "number":
      return ofKinds(kind.number);
    case "literal":
    case "picklist":
      return ofTexts(textsOf(schema));
    case "nullish":
      return withNull(expectedBy(wrapped));
    case "array":
      return isObjects(item) ? ofKinds(kind.array) : undecided;
    case "custom":
      return check === isJsonObject ? ofKinds(kind.object) : undecided;
    case "lazy":
      return isObjects(schema) ? ofKinds(kind.object) : isChoice(schema) ? eitherOf(schema.options()) : undecided;
    default:
      return undecided;
  }
}

/** Of lists, only that of messages needs an element, and a scan that finds no message decides nothing. */
const isDecided = (part: unknown): boolean =>
  isJsonObject(part) && (part["kind"] === "schema" || (part["type"] === "min_length" && part["requirement"] === 1));

const eitherOf = (schemas: readonly unknown[]): Expected =>
  // Certain texts count as undecided among kinds.
  ofKinds(schemas.map(expectedBy).reduce((all, { kinds }) => all | kinds, 0));

/** Returns the expected values, and null among kinds. */
export const withNull = (expected: Expected): Expected =>
  expected.texts === undefined ? ofKinds(expected.kinds | kind.nothing) : expected;

/** Returns the expected values but null. */
export const withoutNull = (expected: Expected): Expected =>
  expected.texts === undefined ? ofKinds(expected.kinds & ~kind.nothing) : expected;

/** Returns the values that all of these expect. */
export function commonOf(all: readonly Expected[]): Expected | undefined {
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first;
  return ofKinds(all.reduce((common, { kinds }) => common & kinds, -1));
}

/** Returns the index of the expected text that a value equals, 0 if it is of an expected kind, or a negative number otherwise. */
export function matchExpected(
  { kinds, texts }: Expected,
  bytes: Uint8Array,
  valueStart: number,
  valueEnd: number,
): number {
  if (texts === undefined) return (kindAt(bytes, valueStart) & kinds) === 0 ? -1 : 0;
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
      return kind.number;
  }
}
