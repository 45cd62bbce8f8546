import { misread, type Reader, readList } from "./text.ts";

/** Reads one of a few words. */
export const readChoice =
  <const Choice extends string>(name: string, choices: readonly Choice[]): Reader<Choice> =>
  (text) => {
    const found = choices.find((choice) => choice === text);
    if (found !== undefined) return found;
    throw misread(name, text, `write ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`);
  };

/** Reads a comma-separated list of some of these words. */
export const readChoices =
  <const Choice extends string>(name: string, choices: readonly Choice[]): Reader<readonly Choice[]> =>
  (text) =>
    readList(name)(text).map((word) => {
      const found = choices.find((choice) => choice === word);
      if (found !== undefined) return found;
      throw misread(name, word, `write a comma-separated list of ${choices.join(", ")}`);
    });
