import { Failure } from "../failure.ts";

const longest = 200;

/** Reads one argument or option of the command line; throws a Failure that names it and says how it is written. */
export type Reader<T> = (text: string) => T;

/** Reads a name such as an account's: 1 to 200 characters on one line, without spaces around them. */
export const readText =
  (name: string): Reader<string> =>
  (text) => {
    if (text !== "" && text.length <= longest && text.trim() === text && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
      return text;
    throw misread(name, text, `write 1 to ${longest} characters on one line, without spaces around them`);
  };

/** Reads names with commas between them. */
export const readList =
  (name: string): Reader<readonly string[]> =>
  (text) =>
    text.split(",").map((item) => readText(name)(item.trim()));

/** The failure of an input that cannot be read; `cure` says how it is written, in words that follow a colon. */
export function misread(name: string, text: string, cure: string): Failure {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new Failure("usage", `${name} cannot be ${JSON.stringify(shown)}: ${cure}.`);
}
