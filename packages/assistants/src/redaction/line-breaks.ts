/** Matches a line break, unchanged, JSON-escaped, URL-encoded or as an HTML entity, and the indentation after it. */
const lineBreak = /(?:[\r\n]|\\{1,8}[rn]|%(?:25){0,2}0[aAdD]|&#(?:1[03]|[xX][aAdD]);)[ \t]*/g;

/** A text with its line breaks removed, which maps positions back to the original text. */
export class UnbrokenText {
  readonly text: string;
  /** The pieces between the breaks: where each begins in this text (`from`) and in the original (`at`). */
  readonly #pieces: readonly { readonly from: number; readonly at: number }[];

  constructor(broken: string) {
    const pieces = [{ from: 0, at: 0 }];
    let text = "";
    let at = 0;
    for (const { 0: found, index } of broken.matchAll(lineBreak)) {
      text += broken.slice(at, index);
      at = index + found.length;
      pieces.push({ from: text.length, at });
    }
    this.text = text + broken.slice(at);
    this.#pieces = pieces;
  }

  /** Converts ranges of this text, in order, into ranges of the original. */
  *withBreaks(
    ranges: Iterable<readonly [start: number, end: number]>,
  ): Generator<readonly [start: number, end: number]> {
    let piece = 0;
    const place = (index: number) => {
      while ((this.#pieces[piece + 1]?.from ?? Number.POSITIVE_INFINITY) <= index) piece++;
      const { from, at } = this.#pieces[piece] ?? { from: 0, at: 0 };
      return at + index - from;
    };
    for (const [start, end] of ranges) yield [place(start), place(end - 1) + 1];
  }
}
