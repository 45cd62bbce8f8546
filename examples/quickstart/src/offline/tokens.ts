/** Cuts a text into the tokens of the offline provider: words with the space before them, long ones in pieces of 12. */
export const splitTokens = (text: string): readonly string[] => text.match(/\s*\S{1,12}|\s+$/gu) ?? [];

/** How many tokens a text counts in a prompt: one for every four bytes of UTF-8, rounded up. */
export const countTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);
