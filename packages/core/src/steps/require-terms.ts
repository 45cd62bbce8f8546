import { GatewayError } from "../errors/gateway-error.ts";
import type { TermsVersion } from "../ports/terms-store.ts";
import type { Room } from "../request/incoming.ts";
import type { Services } from "../request/services.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";
import type { Authenticated } from "./authenticate.ts";

/** A request of an account that has accepted the terms in force. */
export interface Consented extends Authenticated {
  /** Versions of which the account has accepted one; empty when none is in force. */
  readonly acceptableTerms: readonly string[];
}

/** Check 2: the terms in force. */
export function requireTerms(services: Services, authenticated: Authenticated): Awaitable<Consented> {
  const required = services.terms.required();
  if (required === undefined) {
    noteTerms(authenticated, none);
    return authenticated;
  }
  const { version, acceptable } = required;
  return mapAwaitable(services.terms.accepted(authenticated.key.account, acceptable), (accepted) => {
    if (!accepted) throw termsError(version);
    noteTerms(authenticated, acceptable);
    return authenticated;
  });
}

const none: readonly string[] = [];

function noteTerms(record: Room<Authenticated, Consented>, acceptable: readonly string[]): asserts record is Consented {
  record.acceptableTerms = acceptable;
}

/** The 428 of the source document; what its clients read stands at the top level of the body. */
export function termsError(version: TermsVersion): GatewayError {
  const message = `The terms ${version.version} must be accepted before this API can be used. Accept them at ${version.acceptUrl} and send the request again.`;
  return new GatewayError("terms_acceptance_required", message, {
    body: {
      error: "terms_acceptance_required",
      versionId: version.id,
      version: version.version,
      ...(version.enforcementAt === undefined ? {} : { enforcementAt: version.enforcementAt.toISOString() }),
      acceptUrl: version.acceptUrl,
      message,
      code: "terms_acceptance_required",
    },
  });
}
