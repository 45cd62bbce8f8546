/** A line break as it is, JSON-escaped, URL-encoded or as an entity of HTML, with the indentation that follows it. */
const lineBreak = /(?:[\r\n]|\\{1,8}[rn]|%(?:25){0,2}0[aAdD]|&#(?:1[03]|[xX][aAdD]);)[ \t]*/g;

/** A text without its line breaks, and where its characters stand in the text that had them. */
export class UnbrokenText {
  readonly text: string;
  /** The pieces between the breaks: where each begins without and with the breaks. */
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

  /** Ranges of this text, in order, as ranges of the text with the breaks. */
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
