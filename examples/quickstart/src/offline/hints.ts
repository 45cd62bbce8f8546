/** What a sample takes from the message: its quoted texts and its numbers, each used once and in order. */
export interface Hints {
  /** The next number that fits, or undefined when none is left. */
  takeNumber(fits: (value: number) => boolean): number | undefined;
  /** The next quoted text that fits; when nothing was quoted, the whole message, once. */
  takeText(fits: (value: string) => boolean): string | undefined;
  /** The first part of the message that matches. */
  find(pattern: RegExp): string | undefined;
  /** True when the message has the words, in any case and not inside a longer word. */
  mentions(words: string): boolean;
}

const quoted = /"([^"]+)"|“([^“”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;
const number = /(?<![\p{L}\p{N}_.-])-?\d+(?:\.\d+)?(?![\p{L}_-])/gu;

/** Reads a message for hints. The words `without` are left out of it, such as the name of the tool that is called. */
export function readHints(message: string, without = ""): Hints {
  const spoken = (without === "" ? message : message.replaceAll(patternOf(without), " "))
    .replaceAll(/\s+/g, " ")
    .trim();
  const quotes = [...spoken.matchAll(quoted)].map((match) => match.slice(1).find((group) => group !== undefined) ?? "");
  const texts = quotes.length > 0 ? quotes : [spoken].filter((text) => text !== "");
  const numbers = [...spoken.matchAll(number)].map((match) => Number(match[0]));
  return {
    takeNumber: (fits) => take(numbers, fits),
    takeText: (fits) => take(texts, fits),
    find: (pattern) => pattern.exec(spoken)?.[0],
    mentions: (words) => hasWords(spoken, words),
  };
}

/** True when a text has the words, in any case and not inside a longer word. */
export const hasWords = (text: string, words: string): boolean => words !== "" && patternOf(words).test(text);

/** Matches the words in any case, but not inside a longer word. */
function patternOf(words: string): RegExp {
  const escaped = words.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "giu");
}

function take<T>(values: T[], fits: (value: T) => boolean): T | undefined {
  const at = values.findIndex(fits);
  return at < 0 ? undefined : values.splice(at, 1)[0];
}
