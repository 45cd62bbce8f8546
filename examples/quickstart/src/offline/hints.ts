/** The quoted texts and the numbers of a message, as values for a sample. Each is used once, in order. */
export interface Hints {
  /** Removes and returns the next number that fits, or returns undefined. */
  takeNumber(fits: (value: number) => boolean): number | undefined;
  /** Removes and returns the next quoted text that fits. If nothing is quoted, the whole message is the only text. */
  takeText(fits: (value: string) => boolean): string | undefined;
  /** Returns the first match in the message. */
  find(pattern: RegExp): string | undefined;
  /** Returns true if the message contains these words, in any case and not inside a longer word. */
  mentions(words: string): boolean;
}

const quoted = /"([^"]+)"|“([^“”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;
const number = /(?<![\p{L}\p{N}_.-])-?\d+(?:\.\d+)?(?![\p{L}_-])/gu;

/** Reads the hints of a message. The words in `without`, such as the name of the called tool, are ignored. */
export function readHints(message: string, without = ""): Hints {
  const normalized = (without === "" ? message : message.replaceAll(patternOf(without), " "))
    .replaceAll(/\s+/g, " ")
    .trim();
  const quotes = [...normalized.matchAll(quoted)].map(
    (match) => match.slice(1).find((group) => group !== undefined) ?? "",
  );
  const texts = quotes.length > 0 ? quotes : [normalized].filter((text) => text !== "");
  const numbers = [...normalized.matchAll(number)].map((match) => Number(match[0]));
  return {
    takeNumber: (fits) => take(numbers, fits),
    takeText: (fits) => take(texts, fits),
    find: (pattern) => pattern.exec(normalized)?.[0],
    mentions: (words) => hasWords(normalized, words),
  };
}

/** Returns true if a text contains these words, in any case and not inside a longer word. */
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
