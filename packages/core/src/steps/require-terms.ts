import { GatewayError } from "../errors/gateway-error.ts";
import type { TermsVersion } from "../ports/terms-store.ts";
import type { Authenticated, Consented } from "../request/request-stages.ts";
import type { TermsServices } from "../request/services.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";

/** Check 2: the terms in force. */
export function requireTerms(services: TermsServices, authenticated: Authenticated): Awaitable<Consented> {
  const required = services.terms.required();
  if (required === undefined) return { ...authenticated, acceptableTerms: none };
  const { version, acceptable } = required;
  return mapAwaitable(services.terms.accepted(authenticated.key.account, acceptable), (accepted) => {
    if (!accepted) throw termsError(version);
    return { ...authenticated, acceptableTerms: acceptable };
  });
}

const none: readonly string[] = [];

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
