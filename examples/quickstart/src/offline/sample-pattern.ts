import { TimedPattern } from "./timed-pattern.ts";

/**
 * Returns a short text that matches a regular expression (ECMA-262, flag `u`), or undefined if it finds none. It supports
 * groups, alternatives, classes and quantifiers, but not lookarounds and backreferences.
 */
export function samplePattern(pattern: string, expression = new TimedPattern(pattern)): string | undefined {
  try {
    const reader = { left: pattern };
    const text = readAlternatives(reader);
    return reader.left === "" && expression.matches(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

interface Reader {
  left: string;
}

const assertion = /^(?:[\^$]|\\[bB])/;
const groupStart = /^\((?:\?:|\?<\w+>)?/;
const atom = /^(?:\\[pP]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\.|\[(?:\\.|[^\]\\])*\]|[^|()])/su;
const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/;
const maxRepeats = 1_000;
const maxSampleLength = 10_000;

/** Returns a text for the first alternative, and skips the others. */
function readAlternatives(reader: Reader): string {
  const text = readSequence(reader);
  while (take(reader, /^\|/) !== undefined) readSequence(reader);
  return text;
}

function readSequence(reader: Reader): string {
  let text = "";
  while (reader.left !== "" && !/^[|)]/.test(reader.left)) {
    if (take(reader, assertion) !== undefined) continue;
    const one = take(reader, groupStart) === undefined ? sampleAtom(take(reader, atom)) : readGroup(reader);
    text += one.repeat(readCount(reader));
    if (text.length > maxSampleLength) throw new RangeError("The quantifiers of the pattern require too long a text.");
  }
  return text;
}

function readGroup(reader: Reader): string {
  const text = readAlternatives(reader);
  take(reader, /^\)/);
  return text;
}

/** Returns the minimum count of the quantifier. */
function readCount(reader: Reader): number {
  const read = quantifier.exec(reader.left);
  if (read === null) return 1;
  reader.left = reader.left.slice(read[0].length);
  const min = read[1] ?? (read[0].startsWith("+") ? "1" : "0");
  return Math.min(Number(min), maxRepeats);
}

const letters = [
  ..."aA1bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ023456789 -_.,:;/@#%&+*=!?'\"()[]{}<>$^|~`\\\t\n",
];

function sampleAtom(source = ""): string {
  const matches = new RegExp(`^(?:${source})$`, "su");
  return letters.find((letter) => matches.test(letter)) ?? source;
}

function take(reader: Reader, expected: RegExp): string | undefined {
  const read = expected.exec(reader.left)?.[0];
  if (read !== undefined) reader.left = reader.left.slice(read.length);
  return read;
}
