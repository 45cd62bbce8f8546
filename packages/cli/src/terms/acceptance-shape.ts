import type { TermsAcceptance } from "@tollgate/core/store";

/** An acceptance in the output of --json. */
export const toAcceptanceShape = ({ account, versionId, acceptedAt }: TermsAcceptance) => ({
  account,
  versionId,
  acceptedAt: acceptedAt.toISOString(),
});
