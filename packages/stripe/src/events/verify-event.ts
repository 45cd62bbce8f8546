import * as v from "valibot";
import type { CheckedOptions } from "../provider-options.ts";
import { timestamp } from "../stripe-values.ts";

/** Older events are refused, so that one that was overheard cannot be sent again. https://docs.stripe.com/webhooks#replay-attacks */
const toleranceSeconds = 300;

const schema = v.object({
  id: v.string(),
  object: v.literal("event"),
  type: v.string(),
  created: timestamp,
  livemode: v.boolean(),
  account: v.optional(v.nullable(v.string())),
  data: v.object({ object: v.unknown() }),
});

/** An event whose signature was verified. https://docs.stripe.com/api/events/object */
export type StripeEvent = v.InferOutput<typeof schema>;

/**
 * Verifies the signature of a body by each secret, and reads the event. Returns a sentence for the operator if no signature is valid.
 * Throws a `ValiError` for a signed body that is no event. https://docs.stripe.com/webhooks/signature
 */
export async function verifyEvent(
  { stripe, webhookSecrets }: CheckedOptions,
  body: Uint8Array,
  signature: string | undefined,
): Promise<StripeEvent | string> {
  if (signature === undefined)
    return "The header Stripe-Signature is missing. Only Stripe sends events to this endpoint.";
  const text = new TextDecoder().decode(body);
  let problem = "";
  for (const secret of webhookSecrets) {
    try {
      return v.parse(schema, await stripe.webhooks.constructEventAsync(text, signature, secret, toleranceSeconds));
    } catch (error) {
      if (v.isValiError(error)) throw error;
      problem = problemOf(error);
      if (problem !== noMatch) return problem;
    }
  }
  return problem;
}

const noMatch =
  "No signature is valid for a signing secret of this gateway. Compare `webhookSecrets` with the endpoint at Stripe, and let nothing change the body before it.";

/** The messages of the SDK are compared, because its class of all refusals is one. None of them contains the secret. */
function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("No signatures found matching")) return noMatch;
  if (message.startsWith("Timestamp outside")) {
    return "The signature is older than 5 minutes. Check the clock of this server; if it is right, somebody has repeated an old event.";
  }
  return `The event cannot be read: ${message.split("\n")[0]}`;
}
