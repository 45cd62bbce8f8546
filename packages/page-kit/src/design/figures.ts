import type { Tokens } from "../api/answers.ts";

const count = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
const change = new Intl.NumberFormat(undefined, {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});
const seconds = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Formats a whole number with every digit. */
export const countText = (value: number): string => count.format(value);

/** Formats a number shortly, such as "1.2M". */
export const compactText = (value: number): string => compact.format(value);

/** Formats a share of 0 to 1 in percent; one that is not zero never reads as zero. */
export function shareText(value: number | null): string {
  if (value === null) return "–";
  return value > 0 && value < 0.001 ? `< ${share.format(0.001)}` : share.format(value);
}

/** Formats a change with its sign, such as "+12%". */
export const changeText = (value: number): string => change.format(value);

/** Formats milliseconds, as seconds from one second on; a dash for null. */
export function durationText(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${count.format(Math.round(ms))} ms` : `${seconds.format(ms / 1_000)} s`;
}

/** Formats bytes in KiB or MiB. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KiB"] : [bytes / 1024 / 1024, "MiB"];
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(value)} ${unit}`;
}

/**
 * Formats a decimal string as money. Two decimals, or as many as an amount below one unit needs for two significant
 * digits, so that no amount but zero reads as zero. `exact` shows every digit. A currency that Intl does not know is
 * written behind the number, and null is left out. The default locale is the viewer's.
 */
export function amountText(
  amount: string,
  currency: string | null,
  { exact = false, locale }: { readonly exact?: boolean; readonly locale?: string } = {},
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

/** Two, or one more than the zeros behind the point of an amount below one unit. */
function decimalsOf(amount: string): number {
  const zeros = /^-?0*\.(0*)[1-9]/.exec(amount)?.[1];
  return zeros === undefined ? 2 : Math.max(2, zeros.length + 2);
}

function toDecimal(amount: string): Intl.StringNumericLiteral {
  const isDecimal = (text: string): text is Intl.StringNumericLiteral => /^-?\d+(?:\.\d+)?$/.test(text);
  return isDecimal(amount) ? amount : "0";
}

const priceDecimals = 9;
const perMillionDecimals = 6;

/** Returns tokens times a price of one million tokens, as a decimal string with every digit. */
export function priceOf(tokens: number, price: string): string {
  const [whole = "0", fraction = ""] = price.split(".");
  const scaled = BigInt(whole + fraction.padEnd(priceDecimals, "0").slice(0, priceDecimals));
  return decimal(scaled * BigInt(Math.round(tokens)), priceDecimals + perMillionDecimals);
}

function decimal(value: bigint, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = digits.slice(0, -decimals);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Returns the input tokens that were neither read from nor written to a cache. */
export const freshInput = (tokens: Tokens): number =>
  tokens.input - tokens.cached_input - tokens.cache_write_5m - tokens.cache_write_1h;
