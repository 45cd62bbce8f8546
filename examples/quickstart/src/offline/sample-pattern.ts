import { TimedPattern } from "./timed-pattern.ts";

/**
 * A short text that a regular expression (ECMA-262, flag `u`) matches, or undefined when none was found: groups,
 * alternatives, classes and counts are understood, lookarounds and back references are not.
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
const mostRepeats = 1_000;
const longestSample = 10_000;

/** The first alternative; the others are read and dropped. */
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
    if (text.length > longestSample) throw new RangeError("The counts of the pattern make too long a text.");
  }
  return text;
}

function readGroup(reader: Reader): string {
  const text = readAlternatives(reader);
  take(reader, /^\)/);
  return text;
}

/** The fewest repeats that the quantifier asks for. */
function readCount(reader: Reader): number {
  const read = quantifier.exec(reader.left);
  if (read === null) return 1;
  reader.left = reader.left.slice(read[0].length);
  const least = read[1] ?? (read[0].startsWith("+") ? "1" : "0");
  return Math.min(Number(least), mostRepeats);
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
