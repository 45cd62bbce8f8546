import { GatewayError } from "./gateway-error.ts";
import { ProviderError } from "./provider-error.ts";

/** Why a call was ended when the gateway drained and its time was up. */
export const draining = (): GatewayError =>
  new GatewayError("draining", "This server is shutting down and ended the request. Send it again.", {
    retryAfterSeconds: 1,
  });

/** Why a call was ended when its client had gone. Nobody reads the answer. */
export const clientGone = (): GatewayError => new GatewayError("client_gone", "The client disconnected.");

/** Why a call was ended when one of its time limits had passed. */
export const outOfTime = (limit: string, milliseconds: number): ProviderError =>
  new ProviderError("timeout", `The ${limit} limit of ${milliseconds} ms passed.`);
