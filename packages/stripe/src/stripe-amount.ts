import type { Money } from "@tollgate/payments";

/**
 * The currencies without decimals that Stripe still counts in hundredths: 5 kronur are 500.
 * HUF and TWD have no decimals in payouts only. https://docs.stripe.com/currencies#special-cases
 */
const countedInHundredths: ReadonlySet<string> = new Set(["ISK", "UGX"]);

/** The currencies with three decimals, of which the last must be 0. https://docs.stripe.com/currencies#three-decimal */
const threeDecimals: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** Stripe counts whole ariary, of which ISO 4217 has hundredths. https://docs.stripe.com/currencies#zero-decimal */
const ariary = "MGA";

/** Eight digits in most currencies, and twelve in some; Stripe itself refuses what is between. https://docs.stripe.com/currencies */
const largest = 999_999_999_999n;

/** Returns what is wrong with a price, as a sentence that says what to do; undefined for one that Stripe can charge. */
export function priceProblem({ amount, currency }: Money): string | undefined {
  if (!/^[A-Z]{3}$/.test(currency))
    return `"${currency}" is not a currency. Write three capital letters, such as "USD".`;
  if (currency === ariary && amount % 100n !== 0n) return "Stripe takes whole ariary of MGA. End the amount in 00.";
  const units = inStripeUnits({ amount, currency });
  if (units < 1n || units > largest)
    return `Stripe takes amounts of 1 to ${largest} units. Change the amount of ${currency}.`;
  if (threeDecimals.has(currency) && units % 10n !== 0n) {
    return `Stripe takes amounts of ${currency} with two decimals. End the amount in 0.`;
  }
  return undefined;
}

/** Returns an amount as Stripe writes it: a number, and the currency in lower case. Throws a RangeError that says what to do. */
export function toStripeAmount(money: Money): { readonly amount: number; readonly currency: string } {
  const problem = priceProblem(money);
  if (problem !== undefined) throw new RangeError(problem);
  return { amount: Number(inStripeUnits(money)), currency: money.currency.toLowerCase() };
}

/** Returns an amount of Stripe in minor units of its currency; a part of a krona is cut off, which Stripe does not charge. */
export function fromStripeAmount(units: number, currency: string): Money {
  const code = currency.toUpperCase();
  if (countedInHundredths.has(code)) return { amount: BigInt(units) / 100n, currency: code };
  return { amount: code === ariary ? BigInt(units) * 100n : BigInt(units), currency: code };
}

function inStripeUnits({ amount, currency }: Money): bigint {
  if (countedInHundredths.has(currency)) return amount * 100n;
  return currency === ariary ? amount / 100n : amount;
}
