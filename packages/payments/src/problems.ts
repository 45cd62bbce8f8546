import type { PaymentStore } from "./payment-store.ts";

const hourMs = 3_600_000;
const most = 100;

/**
 * Returns a function that tells what of the payments needs a person, each as a sentence: the newest payments with a
 * problem, and events that have waited for their payment for more than an hour. For the option `problems` of management.
 */
export function paymentProblems(store: Pick<PaymentStore, "list" | "waitingEvents">): () => Promise<readonly string[]> {
  return async () => {
    const [found, waiting] = await Promise.all([
      store.list({ problem: true, limit: most }),
      store.waitingEvents({ limit: most }),
    ]);
    const old = waiting.filter(({ since }) => Date.now() - since.getTime() >= hourMs);
    return [
      ...found.payments.map(({ id, state, problem }) => `The payment ${id} is ${state}. ${problem ?? ""}`.trim()),
      ...old.map(
        ({ event, since }) =>
          `The event ${event.id} (${event.type}) has waited for its payment since ${since.toISOString()}. Look it up at the provider.`,
      ),
    ];
  };
}
