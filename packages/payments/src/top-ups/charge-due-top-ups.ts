import { receiveEvent } from "../counter/receive-event.ts";
import type { Payment } from "../payment.ts";
import type { ChargeResult } from "../payment-provider.ts";
import { pendingMs } from "../payment-store.ts";
import { summaryOf } from "../payments-event.ts";
import type { PaymentServices } from "../services.ts";
import type { DueTopUp } from "../top-up.ts";
import { topUpPaymentId } from "./top-up-payment-id.ts";

const batch = 50;

/**
 * Charges every account that is due once, each under an id that all processes derive alike. Never rejects; what failed is due
 * again in the next run. Begins no further charge when `goesOn` returns false.
 */
export async function chargeDueTopUps(services: PaymentServices, goesOn: () => boolean): Promise<void> {
  const { store, ask } = services;
  try {
    let after: string | undefined;
    do {
      const due = await ask(() => store.dueTopUps({ limit: batch, ...(after === undefined ? {} : { after }) }));
      for (const topUp of due) if (goesOn()) await chargeTopUp(services, topUp);
      after = due.length === batch ? due.at(-1)?.account : undefined;
    } while (after !== undefined && goesOn());
  } catch (cause) {
    delayed(services, cause);
  }
}

async function chargeTopUp(services: PaymentServices, topUp: DueTopUp): Promise<void> {
  try {
    const payment = await beginTopUp(services, topUp);
    // Another process has charged it since.
    if (payment === undefined || payment.state !== "pending") return;
    if (isForgotten(payment))
      return await end(services, payment, "The payment provider has not confirmed the last charge.");
    await finish(services, payment, await services.provider.charge(payment, topUp.method));
  } catch (cause) {
    delayed(services, cause, topUp.account);
  }
}

/** Returns undefined if the host does not sell the product any more, which stops nothing, since it may again. */
async function beginTopUp(services: PaymentServices, topUp: DueTopUp): Promise<Payment | undefined> {
  const { store, provider, products, ask } = services;
  const product = products.get(topUp.product);
  if (product === undefined) return undefined;
  const id = await topUpPaymentId(topUp);
  const { name, live } = provider;
  const payment = {
    id,
    account: topUp.account,
    provider: name,
    live,
    kind: "top_up",
    savesMethod: false,
    product,
  } as const;
  const result = await ask(() => store.begin(payment, { maxOpen: 1 }));
  return result.outcome === "too_many" ? undefined : result.payment;
}

/** A provider remembers for some time that it has made a charge. After it, another try might charge a second time. */
const isForgotten = ({ createdAt }: Payment): boolean => Date.now() - createdAt.getTime() >= pendingMs;

async function finish(services: PaymentServices, payment: Payment, result: ChargeResult): Promise<void> {
  if (result.outcome === "refused") return end(services, payment, result.reason);
  const { tell } = services;
  await receiveEvent(services, { ...ownEvent(payment, "charged"), type: "payment.processing" });
  tell({ type: "top_up.charged", at: Date.now(), payment: summaryOf(payment) });
}

/** Ends the payment, which stops the top-up. */
async function end(services: PaymentServices, payment: Payment, message: string): Promise<void> {
  await receiveEvent(services, { ...ownEvent(payment, "refused"), type: "payment.ended", reason: "failed", message });
}

const ownEvent = ({ id, provider, live }: Payment, what: string) => ({
  id: `tollgate:${what}:${id}`,
  provider,
  live,
  at: new Date(),
  payment: id,
});

function delayed({ tell }: PaymentServices, thrown: unknown, account?: string): void {
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  tell({ type: "top_up.delayed", at: Date.now(), cause, ...(account === undefined ? {} : { account }) });
}
