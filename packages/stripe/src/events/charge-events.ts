import * as v from "valibot";
import { readCharge, retrieveCharge } from "../charge.ts";
import { fromStripeAmount } from "../stripe-amount.ts";
import { objectId, wholeAmount } from "../stripe-values.ts";
import { commonOf, type EventReader, ignored, reported } from "./event-reader.ts";

/** `charge.refunded`: the charge has the total of all refunds. https://docs.stripe.com/refunds */
export const readRefund: EventReader = ({ gateway }, event) => {
  const charge = readCharge(event.data.object, gateway);
  return charge === undefined ? ignored : reported({ ...commonOf(event), type: "payment.refunded", ...charge });
};

const refundSchema = v.object({ charge: objectId });

/** `refund.failed`: the money came back, so that the total of the charge is lower. https://docs.stripe.com/refunds#failed-refunds */
export const readFailedRefund: EventReader = async (options, event) => {
  const charge = await retrieveCharge(options, v.parse(refundSchema, event.data.object).charge);
  return charge === undefined ? ignored : reported({ ...commonOf(event), type: "payment.refunded", ...charge });
};

const disputeSchema = v.object({
  id: v.string(),
  charge: objectId,
  amount: wholeAmount,
  currency: v.string(),
  status: v.string(),
});

/**
 * An event of a dispute. An inquiry, whose status begins with "warning", has moved no money; if it becomes a dispute,
 * `charge.dispute.funds_withdrawn` reports it. https://docs.stripe.com/disputes/how-disputes-work
 */
export const readDispute: EventReader = async (options, event) => {
  const { id: dispute, charge: chargeId, amount, currency, status } = v.parse(disputeSchema, event.data.object);
  const type = event.type.endsWith(".closed") ? closings.get(status) : opening(status);
  if (type === undefined) return ignored;
  // A dispute has neither the marker nor the amount of its charge.
  const charge = await retrieveCharge(options, chargeId);
  if (charge === undefined) return ignored;
  const { reference, charged } = charge;
  return reported({
    ...commonOf(event),
    type,
    reference,
    dispute,
    disputed: fromStripeAmount(amount, currency),
    charged,
  });
};

const closings: ReadonlyMap<string, "dispute.won" | "dispute.lost"> = new Map([
  ["won", "dispute.won"],
  ["lost", "dispute.lost"],
]);

const opening = (status: string) => (status.startsWith("warning") ? undefined : "dispute.opened");
