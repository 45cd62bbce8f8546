import { byteLength } from "../bytes.ts";
import { anyNumber, anyString } from "../json-patterns.ts";
import { isWholeUsage, type Usage } from "../usage.ts";
import type { TextRange } from "./find-model.ts";

const mostTemplates = 4;
/** What may be learned that never matches: one template each. */
const mostCredit = 32;
/** Of an answer that is not learned from for want of credit, so that a target which once could not be learned may be later. */
const smallCredit = 1 / 64;

/**
 * The templates of the completions of one target, the one that matched last first. What is learned must match as often, or
 * only every 64th answer is learned from any more.
 */
export class CompletionTemplates {
  readonly #templates: CompletionTemplate[] = [];
  #credit = mostCredit;
  #hasBegun = false;

  /** What the first template that fits makes of a text. */
  match(text: string): Match | undefined {
    const templates = this.#templates;
    for (let at = 0; at < templates.length; at++) {
      const match = templates[at]?.match(text);
      if (match === undefined) continue;
      if (at > 0) templates.unshift(...templates.splice(at, 1));
      if (this.#credit < mostCredit) this.#credit += 1;
      return match;
    }
    return undefined;
  }

  /** Learns from a whole completion that no template fitted; `json` goes in the place of its model's name. */
  learn(text: string, model: TextRange, json: string): void {
    if (!this.#hasBegun) {
      // A host may give another list of models for each request, whose targets see one answer only.
      this.#hasBegun = true;
    } else if (this.#credit < 1) {
      this.#credit += smallCredit;
    } else if (text.length <= longestLearned) {
      this.#credit -= 1;
      this.#keep(learnCompletion(text, model, json));
    }
  }

  #keep(template: CompletionTemplate | undefined): void {
    if (template === undefined) return;
    this.#templates.unshift(template);
    if (this.#templates.length > mostTemplates) this.#templates.pop();
  }
}

/** The texts of a completion before and after its model's name, and of its usage: which groups of an expression catch them. */
export interface Groups {
  readonly before: number;
  readonly after: number;
  readonly usage: number;
}

/** What a template makes of a text. */
export interface Match {
  /** What the client gets. */
  readonly json: string;
  /** How many bytes more than the text that has in UTF-8. */
  readonly growth: number;
  readonly usage: Usage;
}

/** In longer ones the content costs all, and escapes by the million would take more of the stack than V8 has for expressions. */
const longestText = 65_536;

/**
 * A completion of a known shape: constant text around strings and numbers, whatever those are, as a regular expression, which
 * V8 makes machine code of. One that matches is whole, and is not parsed but for its usage.
 */
export class CompletionTemplate {
  readonly #expression: RegExp;
  readonly #groups: Groups;
  readonly #model: string;
  readonly #growth: number;

  /** The expression has all of a text; `model` is the JSON that goes between what stands before and after, in the place of `upstreamModel`. */
  constructor(expression: RegExp, groups: Groups, upstreamModel: string, model: string) {
    this.#expression = expression;
    this.#groups = groups;
    this.#model = model;
    this.#growth = byteLength(model) - byteLength(upstreamModel);
  }

  /** Undefined for a text of another shape, and for one whose counts are absurd. */
  match(text: string): Match | undefined {
    const found = text.length > longestText ? null : this.#expression.exec(text);
    if (found === null) return undefined;
    const { before, after, usage: group } = this.#groups;
    const usage: unknown = JSON.parse(found[group] ?? "");
    if (!isWholeUsage(usage)) return undefined;
    return { json: (found[before] ?? "") + this.#model + (found[after] ?? ""), growth: this.#growth, usage };
  }
}

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
