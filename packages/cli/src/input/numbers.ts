import { parseAmount } from "@tollgate/core";
import type { WindowLimit } from "@tollgate/core/store";
import { checkLimits } from "@tollgate/core/store";
import { reasonOf } from "../failure.ts";
import { misread, type Reader } from "./text.ts";

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
