export { stripeEvents } from "./events/read-event.ts";
export type { StripeProviderOptions } from "./provider-options.ts";
export { stripeApiVersion } from "./request-settings.ts";
export type { StripeClient } from "./stripe-client.ts";
export { stripeProvider } from "./stripe-provider.ts";
