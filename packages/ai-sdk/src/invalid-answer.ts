import { type FailureContext, ProviderError } from "@tollgate/core/provider";

/** The error for an answer that the SDK's provider could not read. */
export const invalidAnswer = ({ provider = "The provider" }: FailureContext): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} gave an answer that the AI SDK cannot read. Check its base URL and the version of its package.`,
  );
