const nanoDecimals = 9;
const form = /^(-?)([0-9]{1,30})(?:\.([0-9]{1,30}))?$/;

/**
 * Parses a decimal string such as "1.25" or "-0.000000001" into nano-units (10^-9 of the currency). Throws a RangeError
 * for anything else, such as an exponent, a plus sign, spaces, or more than `decimals` decimals (at most 9).
 */
export function parseAmount(text: string, decimals: number = nanoDecimals): bigint {
  const [, sign, whole, fraction = ""] = form.exec(text) ?? [];
  if (whole === undefined) {
    throw new RangeError(
      `${JSON.stringify(text.slice(0, 40))} is not a decimal number. Write it as digits, such as "1.25".`,
    );
  }
  if (fraction.length > Math.min(decimals, nanoDecimals)) {
    throw new RangeError(
      `"${text}" has ${fraction.length} decimals. Write at most ${Math.min(decimals, nanoDecimals)}.`,
    );
  }
  const nano = BigInt(whole + fraction.padEnd(nanoDecimals, "0"));
  return sign === "-" ? -nano : nano;
}

/** Formats nano-units as the shortest decimal string, without an exponent or trailing zeros. */
export function formatAmount(nano: bigint): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(nanoDecimals + 1, "0");
  const whole = digits.slice(0, -nanoDecimals);
  const fraction = digits.slice(-nanoDecimals).replace(/0+$/, "");
  return `${nano < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
