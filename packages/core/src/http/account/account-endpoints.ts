import type { Endpoint } from "../../answering/model-api.ts";
import type { GatewayResponse } from "../../ports/gateway-response.ts";
import type { Admission } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { admit } from "../../steps/admit.ts";
import { reportUsage } from "./report-usage.ts";
import { showCredits } from "./show-credits.ts";
import { showGeneration } from "./show-generation.ts";
import { showKey } from "./show-key.ts";

/**
 * Returns an endpoint that shows an account to its keys, at any balance. It counts in the window of requests of the key, but not
 * in its concurrency, and costs nothing.
 */
const reading = (
  name: string,
  pattern: string,
  answer: (services: Services, admission: Admission) => Promise<GatewayResponse>,
): Endpoint => ({
  name,
  method: "GET",
  pattern,
  async handler(services, exchange) {
    const admission = await admit(services, exchange, { scope: "account:read" });
    try {
      return await services.reading.run(admission.caller.key.id, async () => {
        exchange.headers["cache-control"] = "no-store";
        return answer(services, admission);
      });
    } finally {
      admission.slot.release();
    }
  },
});

/** The endpoints that show an account to its keys. */
export const accountEndpoints: readonly Endpoint[] = [
  reading("account.key", "/key", showKey),
  reading("account.credits", "/credits", showCredits),
  reading("account.usage", "/usage", reportUsage),
  reading("account.generation", "/generation", showGeneration),
];
