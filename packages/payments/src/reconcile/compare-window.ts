import { moneyWithCurrency } from "../money-text.ts";
import type { Payment } from "../payment.ts";
import type { ProviderMovement } from "../payment-provider.ts";
import { compareLedger } from "./compare-ledger.ts";
import type { Difference, Found } from "./difference.ts";
import type { ReconcileOptions } from "./reconcile-options.ts";
import type { Returns } from "./returns.ts";

/** The payments that the provider received in a part of the time range. */
export interface ReceivedWindow {
  readonly start: Date;
  readonly end: Date;
  /** The movements of payments, by reference, with those of a day before and after. */
  readonly received: ReadonlyMap<string, readonly ProviderMovement[]>;
  readonly returns: Returns;
  readonly found: Found;
}

/** A customer pays at most this long after the payment was begun: some methods take two weeks. */
const longestMs = 30 * 86_400_000;
/** The clock of the provider may be behind that of the store. */
const skewMs = 86_400_000;
const pageSize = 200;

/** Compares the payments of a window with the movements and with the ledger, and returns how many there are. */
export async function compareWindow(options: ReconcileOptions, window: ReceivedWindow): Promise<number> {
  const { store, provider } = options;
  const from = new Date(window.start.getTime() - longestMs);
  const to = new Date(window.end.getTime() + skewMs);
  let count = 0;
  let after: string | undefined;
  do {
    const page = await store.list({ from, to, limit: pageSize, ...(after === undefined ? {} : { after }) });
    const own = page.payments.filter(({ provider: name, live }) => name === provider.name && live === provider.live);
    for (const payment of own) if (await comparePayment(options, window, payment)) count += 1;
    after = page.next;
  } while (after !== undefined);
  await findForeign(options, window);
  return count;
}

/** Returns false for a payment that was not received in the window. */
async function comparePayment(options: ReconcileOptions, window: ReceivedWindow, payment: Payment): Promise<boolean> {
  const { receipt } = payment;
  const { start, end, received, returns, found } = window;
  if (receipt === undefined || receipt.at < start || receipt.at >= end) return false;
  returns.expect(payment);
  const difference = differenceOf(payment, received.get(receipt.reference) ?? []);
  if (difference !== undefined) found(difference);
  await compareLedger(options.balances, payment, found);
  return true;
}

/** Returns how a payment differs from what the provider received; undefined if it does not. */
function differenceOf(payment: Payment, [first, second]: readonly ProviderMovement[]): Difference | undefined {
  const { id, account, product, receipt, state, problem } = payment;
  const reference = receipt?.reference ?? "";
  const differ = (kind: Difference["kind"], sentence: string) => ({ kind, reference, payment: id, account, sentence });
  if (state === "held") return differ("held", `The payment ${id} is held and not credited. ${problem ?? ""}`.trim());
  if (state !== "paid") return undefined;
  if (first === undefined) {
    return differ("not_received", `The payment ${id} is credited to ${account}, and the provider has no ${reference}.`);
  }
  if (second !== undefined) {
    return differ(
      "received_twice",
      `The provider has received ${reference} more than once, and ${id} is credited once.`,
    );
  }
  const expected = { amount: product.price.amount + (receipt?.tax ?? 0n), currency: product.price.currency };
  if (first.amount.amount === expected.amount && first.amount.currency === expected.currency) return undefined;
  const [received, written] = [moneyWithCurrency(first.amount), moneyWithCurrency(expected)];
  return differ("other_amount", `The provider received ${received} as ${reference}, and ${id} is of ${written}.`);
}

/** Finds movements of payments that are not known. */
async function findForeign({ store, provider }: ReconcileOptions, window: ReceivedWindow): Promise<void> {
  const { start, end, received, found } = window;
  for (const [reference, [movement]] of received) {
    if (movement === undefined || movement.at < start || movement.at >= end) continue;
    const payment = await store.find({ provider: provider.name, reference });
    if (payment !== undefined) continue;
    const sentence = `The provider received ${moneyWithCurrency(movement.amount)} as ${reference}, which is no payment of this gateway, or whose notification has not come.`;
    found({ kind: "not_a_payment", reference, sentence });
  }
}
