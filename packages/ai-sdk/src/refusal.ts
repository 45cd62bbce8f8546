import { ProviderError } from "@tollgate/core/provider";

/** The refusal of a request that cannot be said to a language model. `message` is for the client and says what to change. */
export function refusal(message: string, param: string): ProviderError {
  return new ProviderError("rejected", `The request cannot be given to the AI SDK: ${message}`, {
    clientMessage: message,
    param,
  });
}
