/** Formats a decimal string as money, with as many decimals as a small amount needs. Intl reads the string exactly. */
export function amountText(amount: string, currency: string | null): string {
  const zeros = /^-?0*\.(0*)[1-9]/.exec(amount)?.[1]?.length ?? 0;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, zeros + 2) };
  const isDecimal = (text: string): text is Intl.StringNumericLiteral => /^-?\d+(?:\.\d+)?$/.test(text);
  const decimal: Intl.StringNumericLiteral = isDecimal(amount) ? amount : "0";
  if (currency === null) return new Intl.NumberFormat(undefined, digits).format(decimal);
  try {
    return new Intl.NumberFormat(undefined, { style: "currency", currency, ...digits }).format(decimal);
  } catch {
    return `${new Intl.NumberFormat(undefined, digits).format(decimal)} ${currency}`;
  }
}

const nanoDigits = 9;

/** Adds decimal strings exactly. */
export function sumOf(amounts: readonly string[]): string {
  const nano = amounts.reduce((sum, amount) => {
    const [whole = "0", fraction = ""] = amount.split(".");
    return sum + BigInt(whole + fraction.padEnd(nanoDigits, "0"));
  }, 0n);
  const digits = String(nano).padStart(nanoDigits + 1, "0");
  return `${digits.slice(0, -nanoDigits)}.${digits.slice(-nanoDigits)}`;
}

/** Formats a time as a day in the zone of the viewer. */
export const dayText = (time: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(time));

/** Formats the day of a bucket, which is one of UTC. */
export const bucketText = (time: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(time));
