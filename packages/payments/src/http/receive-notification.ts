import { GatewayError } from "@tollgate/core";
import { type ClientRequest, type EndpointHandler, jsonTextResponse, readUncountedBody } from "@tollgate/core/internal";
import { rethrowUnavailable } from "../counter/checkout.ts";
import { receiveEvent } from "../counter/receive-event.ts";
import type { PaymentServices } from "../services.ts";

const limit = { maxBodyBytes: 1_048_576, advice: "A notification of a payment provider is smaller." };

/**
 * POST /webhook: applies a notification of the provider. 200 says that nothing of it can be lost any more; after any other
 * status the provider has to send it again.
 */
export const receiveNotification: EndpointHandler<PaymentServices> = async (services, { request, headers }) => {
  const { provider, tell } = services;
  const body = await rawBody(services, request);
  const read = await provider.readEvent(body, (name) => request.header(name)).catch(rethrowUnavailable);
  if (read.outcome === "refused") {
    tell({ type: "notification.refused", at: Date.now(), problem: read.problem });
    throw new GatewayError("notification_refused", read.problem);
  }
  if (read.outcome === "event") await receiveEvent(services, read.event);
  return jsonTextResponse(200, headers, '{"received":true}');
};

/** The signature is of the bytes, so that a body that a parser has read into an object cannot be verified. */
async function rawBody(services: PaymentServices, request: ClientRequest): Promise<Uint8Array> {
  const { parsedBody } = request;
  const isRaw = parsedBody === undefined || typeof parsedBody === "string" || parsedBody instanceof Uint8Array;
  if (isRaw) return readUncountedBody(services, request, limit);
  throw new GatewayError(
    "notification_body_consumed",
    'A body parser of this server has read the notification, so that its signature cannot be checked. Mount the payments before the parser: in Express, `app.use("/payments", tollgate(payments))` above `app.use(express.json())`.',
  );
}
