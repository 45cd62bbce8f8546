import { ProviderError } from "@tollgate/core/provider";

/**
 * Creates the error for a request that the Gemini API does not support. `param` is the path of the field. `message` tells
 * the client what to do; it must not quote values of the request.
 */
export const refused = (param: string, message: string): ProviderError =>
  new ProviderError("rejected", `The Gemini API does not accept \`${param}\` of this request. ${message}`, {
    clientMessage: message,
    param,
  });
