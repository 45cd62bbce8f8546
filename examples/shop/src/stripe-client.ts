import Stripe from "stripe";

/** Connects to Stripe, or to a stand-in for it at `STRIPE_API_URL`. */
export function stripeClient(apiKey: string): Stripe {
  const url = process.env["STRIPE_API_URL"];
  if (url === undefined) return new Stripe(apiKey);
  const { hostname, port, protocol } = new URL(url);
  return new Stripe(apiKey, { host: hostname, port, protocol: protocol === "http:" ? "http" : "https" });
}
