import * as v from "valibot";

const gatewayKey = "tollgate_gateway";
const paymentKey = "tollgate_payment";
const kindKey = "tollgate_kind";

/** What an object of Stripe says of its payment. It tells whose an object is, and never how much is credited. */
export interface Marker {
  readonly gateway: string;
  /** The id of the payment. */
  readonly payment: string;
  readonly kind: "checkout" | "top_up";
}

const marked = v.object({
  metadata: v.object({
    [gatewayKey]: v.string(),
    [paymentKey]: v.string(),
    [kindKey]: v.picklist(["checkout", "top_up"]),
  }),
});

/** Returns a marker as metadata. Stripe copies that of a PaymentIntent to its charge: https://docs.stripe.com/metadata. */
export const toMetadata = ({ gateway, payment, kind }: Marker): Record<string, string> => ({
  [gatewayKey]: gateway,
  [paymentKey]: payment,
  [kindKey]: kind,
});

/** Reads the marker of an object; undefined for an object without one, which is of another program, or for one of another gateway. */
export function readMarker(object: unknown, gateway: string): Marker | undefined {
  const reading = v.safeParse(marked, object);
  if (!reading.success) return undefined;
  const { metadata } = reading.output;
  if (metadata[gatewayKey] !== gateway) return undefined;
  return { gateway, payment: metadata[paymentKey], kind: metadata[kindKey] };
}
