import { anyNumber, anyString } from "../json-patterns.ts";
import { CompletionTemplate } from "./completion-template.ts";
import type { TextRange } from "./find-model.ts";

/** A place in a text, and what stands in the expression for what stands there. */
interface Piece extends TextRange {
  readonly pattern: string;
}

/** Of a longer text most is content, which costs as much to match as to parse. */
export const longestLearned = 4_096;
/** Longer lists of values, such as the log probabilities of tokens, have another length each time. */
const mostValues = 32;

/**
 * The template of a completion that is whole, or undefined when there is none that could serve again. `text` is what
 * JSON.parse took, at most `longestLearned` characters, `model` where `findModel` found the name in it, and `json` what the client gets in its place.
 */
export function learnCompletion(text: string, model: TextRange, json: string): CompletionTemplate | undefined {
  const { values, usage } = walk(text);
  if (usage === undefined || values.length > mostValues) return undefined;
  const upstreamModel = text.slice(model.start, model.end);
  const name = { ...model, pattern: `)${constant(upstreamModel)}(` };
  const pieces = [...values, name, before(usage.start, "("), before(usage.end, ")")].sort(inOrder);
  const usageIsFirst = usage.start < model.start;
  const groups = usageIsFirst ? { before: 1, usage: 2, after: 3 } : { before: 1, after: 2, usage: 3 };
  return new CompletionTemplate(new RegExp(`^(${patternOf(text, pieces)})$`), groups, upstreamModel, json);
}

const before = (place: number, pattern: string): Piece => ({ start: place, end: place, pattern });

const inOrder = (one: Piece, other: Piece): number => one.start - other.start;

function patternOf(text: string, pieces: readonly Piece[]): string {
  let pattern = "";
  let at = 0;
  for (const piece of pieces) {
    pattern += constant(text.slice(at, piece.start)) + piece.pattern;
    at = piece.end;
  }
  return pattern + constant(text.slice(at));
}

const constant = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A name with its colon, a string, a number, or a bracket, in what JSON.parse took. */
const token = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|[[\]{}]/g;

/** The values that may differ from one completion to the next, and the object of the usage. */
function walk(text: string): { readonly values: readonly Piece[]; readonly usage: TextRange | undefined } {
  const values: Piece[] = [];
  let depth = 0;
  let name = "";
  let usageStart: number | undefined;
  let usage: TextRange | undefined;
  for (const { 0: found, 1: colon, index: start } of text.matchAll(token)) {
    const end = start + found.length;
    if (colon !== undefined) name = found.slice(1, found.lastIndexOf('"'));
    else if (found === "{" || found === "[") {
      if (depth === 1 && name === "usage") usageStart = start;
      depth++;
    } else if (found === "}" || found === "]") {
      depth--;
      if (depth === 1 && usageStart !== undefined) usage ??= { start: usageStart, end };
    } else if (!constantNames.has(name)) {
      values.push({ start, end, pattern: found.startsWith('"') ? stringOf(name) : numberOf(name) });
    }
  }
  return { values, usage };
}

/** Their values stay: they tell one kind of completion from another. */
const constantNames: ReadonlySet<string> = new Set(["model", "object", "role", "type", "finish_reason", "index"]);

/** As many digits as a number of JavaScript holds exactly, and no "10.0", which a client refuses that reads counts as whole. */
const time = String.raw`[1-9]\d{0,14}`;
const count = `(?:0|${time})`;

const stringOf = (name: string): string => (name === "id" ? `(?!"")${anyString}` : anyString);

function numberOf(name: string): string {
  if (name === "created") return time;
  return name.endsWith("_tokens") ? count : anyNumber;
}
