import { ProviderError } from "@tollgate/core/provider";

/** Creates the error for a request that the SDK has no way to express. `message` tells the client what to change. */
export function refusal(message: string, param: string): ProviderError {
  return new ProviderError("rejected", `The AI SDK cannot express this request: ${message}`, {
    clientMessage: message,
    param,
  });
}
