import { encodeUtf8 } from "../wire/utf8.ts";
import type { SecretForm } from "./join-forms.ts";

/** How deep a text lies within JSON strings: not, in one, in one whose text is JSON itself, or in one of that. */
export type JsonLevel = 0 | 1 | 2 | 3;

const letterEscapes: ReadonlyMap<string, string> = new Map([
  ["\b", "b"],
  ["\f", "f"],
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
]);

const backslash = `(?:\\\\|%5[cC])`;

/** What a percent sign is: itself, or itself URL-encoded. */
export type PercentSign = "%" | "%25";

/**
 * Matches a text as it is or URL-encoded (RFC 3986, and forms of the URL Standard), at any of the given levels of JSON
 * escaping. At each place only one alternative can match, so that there is one way through the text.
 */
export function escapedForm(text: string, levels: readonly JsonLevel[], percentSign: PercentSign): SecretForm {
  return Array.from(text, (character) => (character === "%" ? percentSign : characterForm(character, levels)));
}

/** The same for one character. Letters and digits are left as they are by every encoder. */
export function characterForm(character: string, levels: readonly JsonLevel[]): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const forms = new Set(levels.flatMap((level) => formsAt(character, level)));
  return `(?:${[...forms].join("|")})`;
}

function formsAt(character: string, level: JsonLevel): readonly string[] {
  if (level === 0) return plainForms(character);
  if (character === "\\") return [backslash.repeat(2 ** level), unicodeEscape(character, level)];
  const letter = letterEscapes.get(character);
  return [
    ...(mustBeEscaped(character) ? [] : plainForms(character)),
    ...(letter === undefined ? [] : [escapes(level) + letter]),
    ...(character === '"' || character === "/" ? quoted(character, level) : []),
    unicodeEscape(character, level),
  ];
}

/** Outside JSON. */
function plainForms(character: string): readonly string[] {
  const bytes = Array.from(encodeUtf8(character), (byte) => `%${hexadecimal(byte, 2)}`);
  const plus = character === " " ? ["\\+"] : [];
  const replaced = isLoneSurrogate(character) ? ["\\ufffd"] : [];
  return [literal(character), bytes.join(""), ...plus, ...replaced];
}

/** With backslashes of its own: each encoder may escape a slash or not. */
function quoted(character: string, level: JsonLevel): readonly string[] {
  const form = `(?:${plainForms(character).join("|")})`;
  const most = 2 ** level - 1;
  return character === "/" ? [`${backslash}{1,${most}}${form}`] : [`${backslash}{${most}}${form}`];
}

const unicodeEscape = (character: string, level: JsonLevel): string =>
  units(character)
    .map((unit) => `${escapes(level)}u${hexadecimal(unit, 4)}`)
    .join("");

/** The backslashes before a letter. */
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

const mustBeEscaped = (character: string): boolean => character === '"' || character < " ";

const isLoneSurrogate = (character: string): boolean => character.length === 1 && /[\ud800-\udfff]/.test(character);
