/** Splits a text into the offline provider's tokens: words with the space before them, in parts of at most 12 characters. */
export const splitTokens = (text: string): readonly string[] => text.match(/\s*\S{1,12}|\s+$/gu) ?? [];

/** Returns the number of prompt tokens of a text: one for every four bytes of UTF-8, rounded up. */
export const countTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);
