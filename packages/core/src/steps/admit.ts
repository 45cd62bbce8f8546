import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../request/services.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { type Admitted, admitRequest } from "./admit-request.ts";
import { authenticate } from "./authenticate.ts";
import { requireTerms } from "./require-terms.ts";

/** Checks 1 to 3, the same at every endpoint: the key, the terms, and a request left in the limits. */
export function admit(services: Services, incoming: Incoming): Awaitable<Admitted> {
  return mapAwaitable(authenticate(services, incoming), (authenticated) =>
    mapAwaitable(requireTerms(services, authenticated), (consented) => admitRequest(services, consented)),
  );
}
