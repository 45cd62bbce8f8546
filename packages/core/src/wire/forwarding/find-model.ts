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
  const inCompletion = new Set<string>();
  const inChoice = new Set<string>();
  let depth = 0;
  let backslashAt = nextBackslash(text, 0);
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character !== quote) {
      const bracket = character | bracketBit;
      if (bracket === open) {
        depth++;
        if (depth === choiceDepth) inChoice.clear();
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
    if (backslashAt < end) return undefined;
    const name = text.slice(i + 1, end - 1);
    const value = skipBlank(text, separator + 1);
    const isString = text.charCodeAt(value) === quote;
    const valueEnd = isString ? endOfString(text, value, backslashAt) : value;
    i = valueEnd - 1;
    if (name === "error" || (isCount(name) && !isWhole(text, value))) return undefined;
    if ((depth !== 1 && depth !== choiceDepth) || !checkedNames.has(name)) continue;
    const found = depth === 1 ? inCompletion : inChoice;
    if (found.has(name)) return undefined;
    found.add(name);
    if (name === "model" && depth === 1 && isString) model = { start: value, end: valueEnd };
  }
  return model;
}

/** The level of the objects in an array of the completion. */
const choiceDepth = 3;

/** The names that may occur once in the completion, and once in a choice. */
const checkedNames: ReadonlySet<string> = new Set([
  "choices",
  "created",
  "finish_reason",
  "id",
  "index",
  "message",
  "model",
  "object",
  "usage",
]);

const isCount = (name: string): boolean => name === "created" || name === "index" || name.endsWith("_tokens");

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
