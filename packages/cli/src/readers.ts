import { parseAmount } from "@tollgate/core";
import { checkLimits, isTimeZone, type WindowLimit } from "@tollgate/core/store";
import ms from "ms";
import { Failure, reasonOf } from "./failure.ts";

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

/** The largest amount that a database with 64-bit integers can store, in nano-units. */
const maxAmount = 2n ** 63n - 1n;

/** Reads a decimal amount greater than zero, such as 12.50, and returns nano-units. */
export const readAmount: Reader<bigint> = (text) => {
  const amount = parsedAmount("The amount", text);
  if (amount <= 0n) throw misread("The amount", text, "write a number greater than zero, such as 12.50");
  return notTooLarge("The amount", text, amount);
};

/** Reads a decimal amount of zero or more, and returns nano-units. */
export const readLimitAmount =
  (name: string): Reader<bigint> =>
  (text) => {
    const amount = parsedAmount(name, text);
    if (amount < 0n) throw misread(name, text, "write a number of zero or more, such as 12.50");
    return notTooLarge(name, text, amount);
  };

/** Reads the limit of a window: "100/60" is 100 in 60 seconds, and "100" is 100 in the default of 60 seconds. */
export const readWindow =
  (name: "requests" | "tokens"): Reader<WindowLimit> =>
  (text) => {
    const [, limit, windowSeconds] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
    const window = {
      limit: Number(limit),
      ...(windowSeconds === undefined ? {} : { windowSeconds: Number(windowSeconds) }),
    };
    if (checkLimits("", { [name]: window }).length === 0) return window;
    const cure =
      "write 100/60 for 100 in 60 seconds; both are whole numbers of at least 1, and the seconds at most 604800";
    throw misread(`--${name}`, text, cure);
  };

/** Reads a whole number from 1 to 1,000,000. */
export const readCount =
  (name: string): Reader<number> =>
  (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= 1_000_000) return count;
    throw misread(name, text, "write a whole number from 1 to 1000000");
  };

/** Reads the sequence of a ledger entry. */
export const readSequence =
  (name: string): Reader<bigint> =>
  (text) => {
    if (/^\d{1,19}$/.test(text)) return BigInt(text);
    throw misread(name, text, "write the sequence of an entry, such as 1042");
  };

function notTooLarge(name: string, text: string, amount: bigint): bigint {
  if (amount > maxAmount) throw misread(name, text, "it is too large; write at most 9223372036");
  return amount;
}

function parsedAmount(name: string, text: string): bigint {
  try {
    return parseAmount(text);
  } catch (error) {
    throw misread(name, text, reasonOf(error));
  }
}

const maxDurationMs = ms("100y");
const timestamp = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Reads a duration such as 30m, 24h or 7d and returns milliseconds. 0 needs no unit. */
export const readDuration =
  (name: string): Reader<number> =>
  (text) => {
    const milliseconds = durationOf(text);
    if (milliseconds !== undefined) return milliseconds;
    throw misread(name, text, "write a duration such as 30m, 24h or 7d, at most 100y");
  };

/** Reads a time in the future: a date (its start in UTC), a timestamp with a time zone, or a duration from now. */
export const readFutureTime =
  (name: string): Reader<Date> =>
  (text) => {
    const now = Date.now();
    const duration = durationOf(text);
    const time = duration === undefined ? dateOf(text) : new Date(now + duration);
    if (time !== undefined && time.getTime() > now) return time;
    throw misread(
      name,
      text,
      "write a date in the future, such as 2127-01-01 or 2127-01-01T09:00:00Z, or a duration such as 30d",
    );
  };

function durationOf(text: string): number | undefined {
  if (text === "0") return 0;
  const milliseconds = isDuration(text) ? Math.round(ms(text)) : Number.NaN;
  return milliseconds <= maxDurationMs ? milliseconds : undefined;
}

/** The library reads a number without a unit as milliseconds, which is never what an operator means. */
const isDuration = (text: string): text is ms.StringValue => /^[\d.]{1,15} ?[a-z]{1,12}$/i.test(text);

/** Parses a date. Returns undefined for one that does not exist, such as 30 February. */
function dateOf(text: string): Date | undefined {
  const day = timestamp.exec(text)?.[1];
  const date = new Date(text);
  if (day === undefined || Number.isNaN(date.getTime())) return undefined;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? date : undefined;
}

/** Reads a time: a date (its start in UTC), a timestamp with a time zone, or a duration ago. */
export const readPastTime =
  (name: string): Reader<Date> =>
  (text) => {
    const duration = durationOf(text);
    const time = duration === undefined ? dateOf(text) : new Date(Date.now() - duration);
    if (time !== undefined) return time;
    throw misread(name, text, "write a date such as 2026-01-01 or 2026-01-01T09:00:00Z, or a duration ago such as 7d");
  };

/** Reads an IANA time zone. */
export const readTimezone =
  (name: string): Reader<string> =>
  (text) => {
    if (isTimeZone(text)) return text;
    throw misread(name, text, "write an IANA time zone such as Europe/Berlin");
  };
