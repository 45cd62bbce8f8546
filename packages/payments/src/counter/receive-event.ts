import type { Payment } from "../payment.ts";
import type { PaymentEvent } from "../payment-event.ts";
import type { ApplyResult } from "../payment-store.ts";
import { type PaymentsListener, summaryOf } from "../payments-event.ts";
import type { Freezer, PaymentServices } from "../services.ts";

type Services = Pick<PaymentServices, "store" | "rules" | "ask" | "tell" | "freezeOnDispute" | "audit">;

/** Applies an event of the provider, and freezes the account of a dispute. When it resolves, nothing of it can be lost. */
export async function receiveEvent(services: Services, event: PaymentEvent): Promise<ApplyResult> {
  const { store, rules, ask } = services;
  const result = await ask(() => store.apply(event, rules));
  if ("payment" in result) await freezeDisputed(services, event, result.payment);
  report(services, event, result);
  return result;
}

/**
 * A repeated event freezes too, since the process may have ended between the two steps; a payment that waited for its event of a
 * dispute does as well.
 */
async function freezeDisputed(services: Services, { type }: PaymentEvent, payment: Payment): Promise<void> {
  const { freezeOnDispute } = services;
  const isOpen = payment.disputes.some(({ state }) => state === "open");
  if (freezeOnDispute === undefined || !isOpen) return;
  if (type !== "dispute.opened" && type !== "payment.paid") return;
  await freeze(services, freezeOnDispute, payment);
}

/** Records the freeze before it is made, so that none is missing in the log, and again if it fails. */
async function freeze(
  { audit, ask }: Services,
  freezer: Freezer,
  { id, account, provider }: Pick<Payment, "id" | "account" | "provider">,
): Promise<void> {
  const reason = `The payment ${id} is disputed.`;
  const change = { actor: `payments:${provider}`, action: "account.freeze", subject: `account:${account}` };
  await ask(() => audit?.append({ ...change, after: { reason } }));
  try {
    await ask(() => freezer.freeze(account, reason));
  } catch (cause) {
    // A second entry that cannot be written must not hide why the freeze failed.
    await ask(() => audit?.append({ ...change, action: "account.freeze.failed" })).catch(() => undefined);
    throw cause;
  }
}

function report({ tell }: Services, event: PaymentEvent, result: ApplyResult): void {
  const at = Date.now();
  const { type: cause, id } = event;
  if (result.outcome === "waiting") tell({ type: "payment.waiting", at, cause, event: id });
  else if (result.outcome === "mismatch") tell({ type: "payment.mismatched", at, cause, event: id });
  else if (result.outcome === "applied") reportChange(tell, event, result.payment);
}

function reportChange(tell: PaymentsListener, event: PaymentEvent, changed: Payment): void {
  const at = Date.now();
  const payment = summaryOf(changed);
  tell({ type: "payment.changed", at, cause: event.type, payment });
  if (event.type !== "payment.ended" || changed.kind !== "top_up") return;
  tell({ type: "top_up.failed", at, payment, reason: event.message ?? "The payment was not made." });
}
