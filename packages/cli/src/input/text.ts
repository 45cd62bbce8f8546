import { Failure } from "../failure.ts";

const maxLength = 200;

/** Reads one argument or option of the command line. Throws a Failure that names it and describes its format. */
export type Reader<T> = (text: string) => T;

/** Wraps the reader of an option, so that it can also read a word that removes the value, which it returns as false. */
export type WrapReader = <Value>(reader: Reader<Value>) => Reader<Value | false>;

/** Reads a text such as the name of an account: 1 to 200 characters on one line, without leading or trailing spaces. */
export const readText =
  (name: string): Reader<string> =>
  (text) => {
    if (text !== "" && text.length <= maxLength && text.trim() === text && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
      return text;
    throw misread(name, text, `write 1 to ${maxLength} characters on one line, without leading or trailing spaces`);
  };

/** Reads a comma-separated list. */
export const readList =
  (name: string): Reader<readonly string[]> =>
  (text) =>
    text.split(",").map((item) => readText(name)(item.trim()));

/** Creates the failure for an invalid input. `format` describes the valid format and follows a colon. */
export function misread(name: string, text: string, format: string): Failure {
  const quoted = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new Failure("usage", `${name} cannot be ${JSON.stringify(quoted)}: ${format}.`);
}
