import { misread, type Reader } from "./text.ts";

/** Reads one of a few words. */
export const readChoice =
  <const Choice extends string>(name: string, choices: readonly Choice[]): Reader<Choice> =>
  (text) => {
    const found = choices.find((choice) => choice === text);
    if (found !== undefined) return found;
    throw misread(name, text, `write ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`);
  };
