import type { BalanceStore } from "@tollgate/core/store";
import type { Journal } from "./journal.ts";

/** A balance store that writes what it acknowledges to a journal, before its caller knows. */
export interface RecordedBalances {
  readonly store: BalanceStore;
  /** The amount of the last hold for which the balance was insufficient, in nano-units. */
  lastInsufficient(): bigint;
}

/** Wraps a store. All other methods are those of the store. */
export function recordBalances(store: BalanceStore, journal: Journal): RecordedBalances {
  let insufficient = 1_000_000n;
  const recorded: Pick<BalanceStore, "hold" | "settle" | "release" | "credit"> = {
    async hold(request) {
      const result = await store.hold(request);
      if (result.outcome === "insufficient") insufficient = request.amount;
      if (result.outcome === "held") {
        const { id, account, receipt } = request;
        journal.write({ did: "hold", id, account, amount: String(result.amount), receipt });
      }
      return result;
    },
    async settle(hold, amount, receipt) {
      const result = await store.settle(hold, amount, receipt);
      journal.write({ did: "settle", id: hold.id, amount: String(amount), receipt, ...result });
      return result;
    },
    async release(hold) {
      const result = await store.release(hold);
      journal.write({ did: "release", id: hold.id, ...result });
      return result;
    },
    async credit(posting) {
      const result = await store.credit(posting);
      const { id, account, amount } = posting;
      journal.write({ did: "credit", id, account, amount: String(amount), outcome: result.outcome });
      return result;
    },
  };
  return { store: overriding(store, recorded), lastInsufficient: () => insufficient };
}

const overriding = (store: BalanceStore, methods: Partial<BalanceStore>): BalanceStore =>
  new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
