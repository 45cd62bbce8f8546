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
