import { GatewayError } from "./gateway-error.ts";
import { ProviderError } from "./provider-error.ts";

/** The error of a call that a drain ended at its deadline. */
export const draining = (): GatewayError =>
  new GatewayError("draining", "This server is shutting down and ended the request. Send it again.", {
    retryAfterSeconds: 1,
  });

/** The error of a call whose client disconnected. No client receives it. */
export const clientGone = (): GatewayError => new GatewayError("client_gone", "The client disconnected.");

/** The error of a call that exceeded one of its time limits. */
export const outOfTime = (limit: string, milliseconds: number): ProviderError =>
  new ProviderError("timeout", `The ${limit} limit of ${milliseconds} ms passed.`);
