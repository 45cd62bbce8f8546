const maxNames = 50;
const maxLength = 64;

/**
 * Returns what was left out of a request, each name once, for the header `x-router-dropped`. A client chooses the names of
 * unknown types, which a header must be able to hold.
 */
export const droppedNames = (names: readonly string[]): readonly string[] =>
  [...new Set(names.map((name) => name.slice(0, maxLength).replace(/[^\w.-]/g, "?")))].slice(0, maxNames);
