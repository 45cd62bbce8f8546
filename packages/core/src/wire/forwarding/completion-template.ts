import { isWholeUsage, type Usage } from "../usage.ts";
import { byteLength } from "../utf8.ts";

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
