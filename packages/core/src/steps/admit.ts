import type { RequestContext } from "../request/request-context.ts";
import type { Admitted } from "../request/request-stages.ts";
import type { AdmissionServices, KeyServices, TermsServices } from "../request/services.ts";
import { admitRequest } from "./admit-request.ts";
import { authenticate } from "./authenticate.ts";
import { requireTerms } from "./require-terms.ts";

/** Checks 1 to 3, the same at every endpoint: the key, the terms, and the limits on requests. */
export async function admit(
  services: KeyServices & TermsServices & AdmissionServices,
  context: RequestContext,
): Promise<Admitted> {
  const authenticated = await authenticate(services, context);
  const consented = await requireTerms(services, authenticated);
  return await admitRequest(services, consented);
}
