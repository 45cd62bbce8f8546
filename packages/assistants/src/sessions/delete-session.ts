import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import { emptyResponse, type GatewayResponse } from "../../ports/gateway-response.ts";
import type { Exchange } from "../../request/exchange.ts";
import { admit } from "../../steps/admit.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { sessionNotFound, sessionRef } from "./session-ref.ts";

/** DELETE /session/{id}: removes the session with its messages and logs. Returns 204. */
export async function deleteSession(
  services: AssistantServices,
  exchange: Exchange,
  id: string,
): Promise<GatewayResponse> {
  const admitted = await admit(services, exchange);
  try {
    const ref = sessionRef(admitted.caller, id);
    const existed = await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => services.sessions.delete(ref),
      (result) => typeof result === "boolean",
    );
    if (!existed) throw sessionNotFound();
    return emptyResponse(admitted.exchange.headers);
  } finally {
    admitted.slot.release();
  }
}
