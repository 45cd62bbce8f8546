/**
 * Formats a decimal string as money. Two decimals, or as many as an amount below one unit needs for two significant
 * digits, so that no amount but zero reads as zero. `exact` shows every digit. A currency that Intl does not know is
 * written behind the number, and null is left out.
 */
export function amountText(
  amount: string,
  currency: string | null,
  { exact = false, locale }: AmountFormat = {},
): string {
  const decimals = (/\.(\d*?)0*$/.exec(amount)?.[1] ?? "").length;
  const digits = {
    minimumFractionDigits: 2,
    maximumFractionDigits: exact ? Math.max(2, decimals) : decimalsOf(amount),
  };
  // Intl reads a decimal string exactly (ES2023), where a number would be rounded.
  const decimal = toDecimal(amount);
  if (currency === null) return new Intl.NumberFormat(locale, digits).format(decimal);
  try {
    return new Intl.NumberFormat(locale, { style: "currency", currency, ...digits }).format(decimal);
  } catch {
    return `${new Intl.NumberFormat(locale, digits).format(decimal)} ${currency}`;
  }
}

/** How an amount is formatted. The default locale is the viewer's. */
export interface AmountFormat {
  readonly exact?: boolean;
  readonly locale?: string;
}

/** Two, or one more than the zeros behind the point of an amount below one unit. */
function decimalsOf(amount: string): number {
  const zeros = /^-?0*\.(0*)[1-9]/.exec(amount)?.[1];
  return zeros === undefined ? 2 : Math.max(2, zeros.length + 2);
}

function toDecimal(amount: string): Intl.StringNumericLiteral {
  const isDecimal = (text: string): text is Intl.StringNumericLiteral => /^-?\d+(?:\.\d+)?$/.test(text);
  return isDecimal(amount) ? amount : "0";
}
