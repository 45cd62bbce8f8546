/** The range of a value in a text. The end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const colon = 0x3a;
/** `[` and `{` differ only in this bit, and so do `]` and `}`. */
const bracketBit = 0x20;
const open = 0x7b;
const close = 0x7d;

/**
 * Finds the `model` of a completion in valid JSON. Returns undefined if a client could read the text differently from
 * JSON.parse: a name has escapes, a checked name occurs twice in the completion or in a choice, there is an `error`, or a
 * count is written as "10.0" or "1e1", which clients with integer types reject. The search goes from quote to quote,
 * since V8 searches a whole string in the time that a loop takes for a few characters.
 */
export function findModel(text: string): TextRange | undefined {
  let model: TextRange | undefined;
  let found = 0;
  let foundInChoice = 0;
  let depth = 0;
  let backslashAt = nextBackslash(text, 0);
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character !== quote) {
      const bracket = character | bracketBit;
      if (bracket === open) {
        depth++;
        if (depth === choiceDepth) foundInChoice = 0;
      } else if (bracket === close) depth--;
      continue;
    }
    if (backslashAt < i) backslashAt = nextBackslash(text, i);
    const end = endOfString(text, i, backslashAt);
    const separator = skipBlank(text, end);
    if (text.charCodeAt(separator) !== colon) {
      i = end - 1;
      continue;
    }
    const name = backslashAt < end ? refused : nameAt(text, i + 1, end - 1);
    const value = skipBlank(text, separator + 1);
    const isString = text.charCodeAt(value) === quote;
    const valueEnd = isString ? endOfString(text, value, backslashAt) : value;
    i = valueEnd - 1;
    if (name === other) continue;
    if (name === refused || ((name & count) !== 0 && !isWhole(text, value))) return undefined;
    const place = name & places;
    if (depth === 1) {
      if ((found & place) !== 0) return undefined;
      found |= place;
      if (name === modelName && isString) model = { start: value, end: valueEnd };
    } else if (depth === choiceDepth) {
      if ((foundInChoice & place) !== 0) return undefined;
      foundInChoice |= place;
    }
  }
  return model;
}

/** The level of the objects in an array of the completion. */
const choiceDepth = 3;

/** The meaning of a member's name, as bits: the bit of a name that may occur once, and whether its value is a count. */
const other = 0;
const modelName = 0x1;
const idName = 0x2;
const objectName = 0x4;
const choicesName = 0x8;
const usageName = 0x10;
const messageName = 0x20;
const reasonName = 0x40;
const indexPlace = 0x80;
const createdPlace = 0x100;
const places = 0x1ff;
const count = 0x200;
const refused = 0x400;

const names: ReadonlyMap<string, number> = new Map([
  ["choices", choicesName],
  ["created", createdPlace | count],
  ["error", refused],
  ["finish_reason", reasonName],
  ["id", idName],
  ["index", indexPlace | count],
  ["message", messageName],
  ["model", modelName],
  ["object", objectName],
  ["usage", usageName],
]);

function nameAt(text: string, start: number, end: number): number {
  return text.startsWith("_tokens", end - 7) ? count : (names.get(text.slice(start, end)) ?? other);
}

/** Returns the position of the next backslash, or the end of the text. */
function nextBackslash(text: string, from: number): number {
  const at = text.indexOf("\\", from);
  return at < 0 ? text.length : at;
}

/** Returns the end of the string whose opening quote is at `start`. `backslashAt` is the position of the next backslash. */
function endOfString(text: string, start: number, backslashAt: number): number {
  let end = text.indexOf('"', start + 1);
  while (backslashAt < end && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** True if an odd number of backslashes directly precedes it. */
function isEscaped(text: string, at: number): boolean {
  let i = at;
  while (text[i - 1] === "\\") i--;
  return (at - i) % 2 === 1;
}

function skipBlank(text: string, from: number): number {
  let i = from;
  while (text.charCodeAt(i) <= 0x20) i++;
  return i;
}

/** True unless the value is a number that is negative or has a fraction or an exponent. */
function isWhole(text: string, value: number): boolean {
  let i = value;
  while (isDigit(text.charCodeAt(i))) i++;
  return !otherSigns.includes(text.charAt(i));
}

const isDigit = (character: number): boolean => character >= 0x30 && character <= 0x39;
const otherSigns = [".", "e", "E", "-"];
