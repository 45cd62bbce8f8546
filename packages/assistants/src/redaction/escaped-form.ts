import { encodeUtf8 } from "@tollgate/core/extension";
import { entityForm } from "./entity-form.ts";
import type { SecretForm } from "./join-forms.ts";

/** How many times a text was escaped as a JSON string. */
export type JsonLevel = 0 | 1 | 2 | 3;

const letterEscapes: ReadonlyMap<string, string> = new Map([
  ["\b", "[bB]"],
  ["\f", "[fF]"],
  ["\n", "[nN]"],
  ["\r", "[rR]"],
  ["\t", "[tT]"],
]);

const backslash = `(?:\\\\|%5[cC])`;

/** A percent sign that was URL-encoded up to three times; each further time makes it `%25`. */
const percent = "%(?:25){0,2}";

/** A percent sign, or one that was URL-encoded up to three times. */
export type PercentSign = "%" | "%25" | "%2525" | "%252525";

/**
 * Matches a text unchanged, or URL-encoded (RFC 3986, and forms of the URL Standard) up to three times, at any of the
 * given levels of JSON escaping, in upper or lower case. At each position only one alternative can match, so the pattern
 * never backtracks.
 */
export function escapedForm(text: string, levels: readonly JsonLevel[], percentSign: PercentSign): SecretForm {
  return Array.from(text, (character) => (character === "%" ? percentSign : characterForm(character, levels)));
}

/** Matches a text whose special characters are HTML entities or unchanged, at any of the given levels of JSON escaping. */
export function htmlForm(text: string, levels: readonly JsonLevel[]): SecretForm {
  return Array.from(text, (character) => {
    if (isLetterOrDigit(character)) return characterForm(character, levels);
    const entity = entityForm(character);
    const quote = character === '"' && levels.includes(1) ? `${backslash}?` : "";
    const others = character === "&" ? [] : levels.flatMap((level) => casesOf(character, level, literalForms));
    return `(?:${[quote + entity, ...new Set(others)].join("|")})`;
  });
}

/** Matches one character as `escapedForm` does. Encoders do not change letters and digits, except for their case. */
export function characterForm(character: string, levels: readonly JsonLevel[]): string {
  if (isLetterOrDigit(character)) return /\d/.test(character) ? character : letterForm(character);
  return `(?:${[...new Set(levels.flatMap((level) => casesOf(character, level, plainForms)))].join("|")})`;
}

const letterForm = (letter: string): string => `[${letter.toLowerCase()}${letter.toUpperCase()}]`;

type Plain = (character: string) => readonly string[];

/** The forms of a character in both cases. A case may have several characters, as the upper case of `ß` has. */
function casesOf(character: string, level: JsonLevel, plain: Plain): readonly string[] {
  const cases = new Set([character, character.toUpperCase(), character.toLowerCase()]);
  return [...cases].flatMap((written) => {
    const forms = Array.from(written, (each) => formsAt(each, level, plain));
    return forms.length === 1 ? forms.flat() : [forms.map((each) => `(?:${each.join("|")})`).join("")];
  });
}

function formsAt(character: string, level: JsonLevel, plain: Plain): readonly string[] {
  if (level === 0) return plain(character);
  if (character === "\\") return [backslash.repeat(2 ** level), unicodeEscape(character, level)];
  const letter = letterEscapes.get(character);
  return [
    ...(mustBeEscaped(character) ? [] : plain(character)),
    ...(letter === undefined ? [] : [escapes(level) + letter]),
    ...(character === '"' || character === "/" ? quoted(character, level, plain) : []),
    unicodeEscape(character, level),
  ];
}

/** The forms outside JSON: unchanged or URL-encoded. */
function plainForms(character: string): readonly string[] {
  const bytes = Array.from(encodeUtf8(character), (byte) => `${percent}${hexadecimal(byte, 2)}`);
  const plus = character === " " ? ["\\+", `${percent}2[bB]`] : [];
  return [...literalForms(character), bytes.join(""), ...plus];
}

/** The forms outside JSON and URLs. */
function literalForms(character: string): readonly string[] {
  return isLoneSurrogate(character) ? [literal(character), "\\ufffd"] : [literal(character)];
}

/** The forms of a quote or a slash with backslashes. JSON encoders need not escape a slash. */
function quoted(character: string, level: JsonLevel, plain: Plain): readonly string[] {
  const form = `(?:${plain(character).join("|")})`;
  const most = 2 ** level - 1;
  return character === "/" ? [`${backslash}{1,${most}}${form}`] : [`${backslash}{${most}}${form}`];
}

const unicodeEscape = (character: string, level: JsonLevel): string =>
  units(character)
    .map((unit) => `${escapes(level)}[uU]${hexadecimal(unit, 4)}`)
    .join("");

/** The backslashes before the letter of an escape sequence. */
const escapes = (level: JsonLevel): string => backslash.repeat(2 ** (level - 1));

const literal = (character: string): string =>
  units(character)
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");

const hexadecimal = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const units = (character: string): readonly number[] => character.split("").map((unit) => unit.charCodeAt(0));

const isLetterOrDigit = (character: string): boolean => /^[A-Za-z0-9]$/.test(character);

const mustBeEscaped = (character: string): boolean => character === '"' || character < " ";

const isLoneSurrogate = (character: string): boolean => character.length === 1 && /[\ud800-\udfff]/.test(character);
