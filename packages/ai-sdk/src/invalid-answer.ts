import { type FailureContext, ProviderError } from "@tollgate/core/provider";

/** Creates the error for a response that the SDK's provider could not parse. */
export const invalidAnswer = ({ provider = "The provider" }: FailureContext): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} returned a response that the AI SDK cannot read. Check its base URL and the version of its package.`,
  );
