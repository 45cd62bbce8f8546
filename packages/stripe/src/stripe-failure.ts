import { ProviderUnavailable } from "@tollgate/payments";
import * as v from "valibot";

/** The members of an error of the SDK that are read. The host may load another copy of the SDK, so its classes are not compared. */
const schema = v.object({
  type: v.pipe(v.string(), v.startsWith("Stripe")),
  message: v.string(),
  code: v.fallback(v.optional(v.string()), undefined),
  statusCode: v.fallback(v.optional(v.number()), undefined),
  requestId: v.fallback(v.optional(v.string()), undefined),
  headers: v.fallback(v.optional(v.record(v.string(), v.unknown())), undefined),
});

/** An error that the SDK has thrown. https://docs.stripe.com/error-handling */
export type StripeFailure = v.InferOutput<typeof schema>;

/** Reads an error of the SDK. Throws any other value again. */
export function readFailure(thrown: unknown): StripeFailure {
  const reading = v.safeParse(schema, thrown);
  if (!reading.success) throw thrown;
  return reading.output;
}

/** True: the idempotency key has a stored failure, or belongs to other parameters, so that no repetition with it succeeds. */
export function isKeySpent({ type, statusCode = 0, headers }: StripeFailure): boolean {
  const replayed = headers?.["idempotent-replayed"] === "true";
  return type === "StripeIdempotencyError" || (statusCode >= 500 && replayed);
}

/** True: the bank or Stripe has refused a charge, so that repeating it does not help. */
export const isRefusal = ({ type }: StripeFailure): boolean =>
  type === "StripeCardError" || type === "StripeInvalidRequestError";

/** Returns the error for a request that can be repeated. Its message is for the log of the operator. */
export function unavailable(failure: StripeFailure): ProviderUnavailable {
  const { type, statusCode, requestId } = failure;
  const answer = statusCode === undefined ? "did not answer" : `answered with ${statusCode}`;
  const request = requestId === undefined ? "" : ` (request ${requestId})`;
  return new ProviderUnavailable(`Stripe ${answer}: ${reasonOf(type, failure)}${request}`);
}

function reasonOf(type: string, { message }: StripeFailure): string {
  if (type === "StripeAuthenticationError") return "the API key is not valid. Check the key of the client.";
  if (type === "StripePermissionError") return "the API key may not do this. Give the restricted key this permission.";
  return message;
}
