import { byteLength } from "../bytes.ts";
import { anyNumber, anyString } from "../json-patterns.ts";
import { isWholeUsage, type Usage } from "../usage.ts";
import type { TextRange } from "./find-model.ts";

const mostTemplates = 4;
/** The number of templates that may be learned without a match. */
const mostCredit = 32;
/** Credit regained per answer without learning, so that learning is tried again later for a target without matches. */
const smallCredit = 1 / 64;

/**
 * The templates for the completions of one target, ordered by their last match. If they match less often than they are
 * learned, only every 64th answer is still learned from.
 */
export class CompletionTemplates {
  readonly #templates: CompletionTemplate[] = [];
  #credit = mostCredit;
  #hasBegun = false;

  /** Applies the first template that matches a text. */
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

  /** Learns from a whole completion that no template matched. `json` replaces the name of its model. */
  learn(text: string, model: TextRange, json: string): void {
    if (!this.#hasBegun) {
      // A host may return a new list of models for each request, so that each target sees only one answer.
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

/** The capture groups for the text before the model's name, the text after it, and the usage. */
export interface Groups {
  readonly before: number;
  readonly after: number;
  readonly usage: number;
}

/** The result of applying a template to a text. */
export interface Match {
  /** The JSON for the client. */
  readonly json: string;
  /** The difference of its length in UTF-8 to that of the text. */
  readonly growth: number;
  readonly usage: Usage;
}

/** In longer texts the content dominates the cost, and millions of escapes would overflow V8's stack for regular expressions. */
const longestText = 65_536;

/**
 * A completion of a known shape, as a regular expression: constant text around any strings and numbers. V8 compiles it to
 * machine code. A text that matches is a whole completion, of which only the usage is parsed.
 */
export class CompletionTemplate {
  readonly #expression: RegExp;
  readonly #groups: Groups;
  readonly #model: string;
  readonly #growth: number;

  /** The expression matches the whole text. `model` is the JSON that replaces `upstreamModel`. */
  constructor(expression: RegExp, groups: Groups, upstreamModel: string, model: string) {
    this.#expression = expression;
    this.#groups = groups;
    this.#model = model;
    this.#growth = byteLength(model) - byteLength(upstreamModel);
  }

  /** Returns undefined for a text of another shape, and for one with invalid counts. */
  match(text: string): Match | undefined {
    const found = text.length > longestText ? null : this.#expression.exec(text);
    if (found === null) return undefined;
    const { before, after, usage: group } = this.#groups;
    const usage: unknown = JSON.parse(found[group] ?? "");
    if (!isWholeUsage(usage)) return undefined;
    return { json: (found[before] ?? "") + this.#model + (found[after] ?? ""), growth: this.#growth, usage };
  }
}

/** A range of a text, and the expression that replaces it. */
interface Piece extends TextRange {
  readonly pattern: string;
}

/** Longer texts are mostly content, which costs as much to match as to parse. */
export const longestLearned = 4_096;
/** Longer lists of values, such as the log probabilities of tokens, rarely have the same length twice. */
const mostValues = 32;

/**
 * Returns the template of a whole completion, or undefined if it is unlikely to match another one. `text` is valid JSON
 * of at most `longestLearned` characters, `model` the range of the name from `findModel`, and `json` its replacement.
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

/** A name with its colon, a string, a number, or a bracket, in valid JSON. */
const token = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|[[\]{}]/g;

/** The values that may differ between completions, and the usage object. */
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

/** The values of these members are constant in a template, since they distinguish kinds of completions. */
const constantNames: ReadonlySet<string> = new Set(["model", "object", "role", "type", "finish_reason", "index"]);

/** As many digits as a JavaScript number holds exactly. Excludes "10.0", which clients that read counts as integers reject. */
const time = String.raw`[1-9]\d{0,14}`;
const count = `(?:0|${time})`;

const stringOf = (name: string): string => (name === "id" ? `(?!"")${anyString}` : anyString);

function numberOf(name: string): string {
  if (name === "created") return time;
  return name.endsWith("_tokens") ? count : anyNumber;
}
