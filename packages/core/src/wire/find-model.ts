/** Where a value stands in a text; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const colon = 0x3a;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const bracketBit = 0x20;
const open = 0x7b;
const close = 0x7d;

/**
 * Where the string stands that is the `model` of a completion, in JSON that JSON.parse takes. Undefined where a client
 * could read the text otherwise than JSON.parse did: names with escapes, one of those that are checked twice at the top
 * level, an `error` at any, and counts that are spelled as "10.0" or "1e1", which a client that reads whole numbers into a
 * type of them refuses. It goes from quote to quote: V8 searches a whole string in the time that a few characters take.
 */
export function findModel(text: string): TextRange | undefined {
  let model: TextRange | undefined;
  let found = 0;
  let depth = 0;
  let backslashAt = nextBackslash(text, 0);
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character !== quote) {
      const bracket = character | bracketBit;
      if (bracket === open) depth++;
      else if (bracket === close) depth--;
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
    if (name === refused || (name === count && !isWhole(text, value))) return undefined;
    if (depth === 1 && name < count) {
      if ((found & name) !== 0) return undefined;
      found |= name;
      if (name === modelName && isString) model = { start: value, end: valueEnd };
    }
  }
  return model;
}

/** What the name of a member means here, as numbers, since a completion has two dozen of them. Below `count`: a bit of its own. */
const other = 0;
const modelName = 1;
const choicesName = 2;
const usageName = 4;
const count = 8;
const refused = 16;

/** Length and first letter leave few names to be compared. */
function nameAt(text: string, start: number, end: number): number {
  switch (end - start) {
    case 5:
      return fiveLetters(text, start);
    case 7:
      if (text.charCodeAt(start) !== letterC) return other;
      return text.startsWith("choices", start) ? choicesName : text.startsWith("created", start) ? count : other;
    default:
      return text.charCodeAt(end - 1) === letterS && text.startsWith("_tokens", end - 7) ? count : other;
  }
}

const letterC = 0x63;
const letterS = 0x73;

function fiveLetters(text: string, start: number): number {
  if (text.startsWith("model", start)) return modelName;
  if (text.startsWith("usage", start)) return usageName;
  if (text.startsWith("index", start)) return count;
  return text.startsWith("error", start) ? refused : other;
}

/** Where the next backslash stands, or the end of the text. */
function nextBackslash(text: string, from: number): number {
  const at = text.indexOf("\\", from);
  return at < 0 ? text.length : at;
}

/** The end of the string whose opening quote stands at `start`; `backslashAt` is where the first backslash behind it stands. */
function endOfString(text: string, start: number, backslashAt: number): number {
  let end = text.indexOf('"', start + 1);
  while (backslashAt < end && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** True when an odd number of backslashes stands right before it. */
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

/** True for a value that is no number with a fraction or an exponent. */
function isWhole(text: string, value: number): boolean {
  let i = value + (text[value] === "-" ? 1 : 0);
  while (isDigit(text.charCodeAt(i))) i++;
  return !fractions.includes(text.charAt(i));
}

const isDigit = (character: number): boolean => character >= 0x30 && character <= 0x39;
const fractions = [".", "e", "E"];
