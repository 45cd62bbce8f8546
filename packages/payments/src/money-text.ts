import type { Money } from "./payment.ts";

/** Returns an amount as a decimal string with the decimals of its currency, such as "10.00" for 1000 cents. */
export function moneyText({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const sign = amount < 0n ? "-" : "";
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Returns an amount with its currency, such as "10.00 USD". */
export const moneyWithCurrency = (money: Money): string => `${moneyText(money)} ${money.currency}`;

/**
 * The number of decimals of the minor unit, by ISO 4217, and not by CLDR, as Intl has it: CLDR hides the decimals of some currencies
 * that are charged with them.
 */
function decimalsOf(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  return withThreeDecimals.has(currency) ? 3 : 2;
}

const withoutDecimals: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "),
);

const withThreeDecimals: ReadonlySet<string> = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));
