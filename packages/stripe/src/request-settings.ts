import type { RequestSettings } from "./stripe-client.ts";

/**
 * The version of Stripe's API in which requests are sent, and for which the endpoint of the webhook is made.
 * https://docs.stripe.com/api/versioning
 */
export const stripeApiVersion = "2026-10-28.endive";

/** The connected account, if there is one. */
interface Connected {
  readonly account?: string;
}

/** Settings of requests that a customer or a webhook waits for: at most two attempts, in less than 7 seconds. */
export const promptRequest = ({ account }: Connected): RequestSettings => ({
  ...{ apiVersion: stripeApiVersion, timeout: 3_000, maxNetworkRetries: 1 },
  ...connected(account),
});

/** Settings of requests that nobody waits for. A bank may take many seconds to answer a charge. */
export const patientRequest = ({ account }: Connected): RequestSettings => ({
  ...{ apiVersion: stripeApiVersion, timeout: 30_000, maxNetworkRetries: 2 },
  ...connected(account),
});

/** https://docs.stripe.com/connect/authentication */
const connected = (account: string | undefined) => (account === undefined ? {} : { stripeAccount: account });
