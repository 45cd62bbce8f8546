import { joinForms, type SecretForm } from "./join-forms.ts";

/** The length of the prefix by which candidates are found. A regular expression of whole forms would take too long to compile. */
const headLength = 10;
const matchesNothing = "(?!)";

/** Returns the end of a match that begins at `at`, or -1. */
type Matcher = (text: string, at: number) => number;

/** Finds the forms of secrets in texts. */
export class SecretSearch {
  readonly #heads: RegExp;
  readonly #forms: readonly (readonly Matcher[])[];

  constructor(forms: readonly SecretForm[]) {
    const heads = forms.length === 0 ? matchesNothing : joinForms(forms.map((form) => form.slice(0, headLength)));
    this.#heads = new RegExp(heads, "g");
    const matchers = new Map<string, Matcher>();
    this.#forms = forms.map((form) => form.map((source) => cached(matchers, source)));
  }

  /** Yields the ranges of all matches. Overlapping matches are one range, so that no part of either secret remains. */
  *ranges(text: string): Generator<readonly [start: number, end: number]> {
    let start = -1;
    let end = -1;
    for (let at = this.#next(text, 0); at >= 0; at = this.#next(text, at + 1)) {
      const matchEnd = this.#longestAt(text, at);
      if (matchEnd < 0) continue;
      if (at >= end) {
        if (end >= 0) yield [start, end];
        start = at;
      }
      end = Math.max(end, matchEnd);
    }
    if (end >= 0) yield [start, end];
  }

  #next(text: string, from: number): number {
    this.#heads.lastIndex = from;
    return this.#heads.exec(text)?.index ?? -1;
  }

  #longestAt(text: string, at: number): number {
    return this.#forms.reduce((longest, form) => Math.max(longest, endOf(form, text, at)), -1);
  }
}

function endOf(form: readonly Matcher[], text: string, from: number): number {
  let at = from;
  for (const matcher of form) {
    at = matcher(text, at);
    if (at < 0) return -1;
  }
  return at;
}

function cached(matchers: Map<string, Matcher>, source: string): Matcher {
  const known = matchers.get(source);
  if (known !== undefined) return known;
  const matcher = source.length === 1 ? letter(source) : (eitherCase(source) ?? pattern(source));
  matchers.set(source, matcher);
  return matcher;
}

const letter =
  (expected: string): Matcher =>
  (text, at) =>
    text[at] === expected ? at + 1 : -1;

/** Compares a letter in either case, `[aA]`, without a regular expression. */
function eitherCase(source: string): Matcher | undefined {
  const [, lower, upper] = /^\[([a-z])([A-Z])\]$/.exec(source) ?? [];
  if (lower === undefined) return undefined;
  return (text, at) => (text[at] === lower || text[at] === upper ? at + 1 : -1);
}

function pattern(source: string): Matcher {
  const sticky = new RegExp(source, "y");
  return (text, at) => {
    sticky.lastIndex = at;
    return sticky.test(text) ? sticky.lastIndex : -1;
  };
}
