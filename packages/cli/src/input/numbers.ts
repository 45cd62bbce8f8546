import { parseAmount } from "@tollgate/core";
import type { WindowLimit } from "@tollgate/core/store";
import { checkLimits } from "@tollgate/core/store";
import { reasonOf } from "../failure.ts";
import { misread, type Reader } from "./text.ts";

/** The most that a database with 64-bit integers can keep, in nano-units. */
const mostNano = 2n ** 63n - 1n;

/** Reads an amount greater than zero, written as a decimal number such as 12.50, into nano-units. */
export const readAmount: Reader<bigint> = (text) => {
  const amount = parsedAmount(text);
  if (amount <= 0n) throw misread("The amount", text, "write a number greater than zero, such as 12.50");
  if (amount > mostNano) throw misread("The amount", text, "no store can keep as much; write at most 9223372036");
  return amount;
};

/** Reads an allowance: "100/60" is 100 in 60 seconds, "100" is 100 in the usual 60. */
export const readWindow =
  (name: "requests" | "tokens"): Reader<WindowLimit> =>
  (text) => {
    const [, limit, windowSeconds] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
    const window = {
      limit: Number(limit),
      ...(windowSeconds === undefined ? {} : { windowSeconds: Number(windowSeconds) }),
    };
    if (checkLimits("", { [name]: window }).length === 0) return window;
    const cure = "write 100/60 for 100 in 60 seconds, both whole numbers from 1, and the seconds at most 604800";
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

function parsedAmount(text: string): bigint {
  try {
    return parseAmount(text);
  } catch (fault) {
    throw misread("The amount", text, reasonOf(fault));
  }
}
