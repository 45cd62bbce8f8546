import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore, HoldReceipt, Renewal } from "@tollgate/core/store";
import { chargeReceipt, plainHold } from "../../../../packages/core/test-support/receipts.ts";
import type { Journal } from "../../processes/journal.ts";
import type { LedgerAnswer, LedgerCall } from "./calls.ts";

/** The receipt of a recorded hold. Its request id is the id of the hold. */
export const receiptOf = (id: string): HoldReceipt => ({ requestId: id, model: "model-1", dialect: "chat" });

/** A balance store that records every call. Errors become results. */
export class RecordedStore {
  constructor(
    private readonly store: BalanceStore,
    private readonly journal: Journal<LedgerCall, LedgerAnswer>,
    private readonly leaseMs: number,
  ) {}

  hold(id: string, account: string, amount: bigint): Promise<LedgerAnswer> {
    const { store, leaseMs } = this;
    return this.#record({ verb: "hold", id, account, amount }, async () => {
      const hold = { id, account, keyId: "key", amount, leaseMs, ...plainHold, receipt: receiptOf(id) };
      const { outcome } = await store.hold(hold);
      return { outcome };
    });
  }

  renew(renewals: readonly Renewal[]): Promise<LedgerAnswer> {
    return this.#record({ verb: "renew", renewals }, async () => ({
      renewed: await this.store.renew(renewals, this.leaseMs),
    }));
  }

  settle(id: string, amount: bigint): Promise<LedgerAnswer> {
    return this.#record({ verb: "settle", id, amount }, () => this.store.settle(id, amount, chargeReceipt));
  }

  release(id: string): Promise<LedgerAnswer> {
    return this.#record({ verb: "release", id }, () => this.store.release(id));
  }

  expire(): Promise<LedgerAnswer> {
    return this.#record({ verb: "expire" }, async () => ({ outcome: `ended ${await this.store.expire()}` }));
  }

  credit(id: string, account: string, amount: bigint): Promise<LedgerAnswer> {
    return this.#record({ verb: "credit", id, account, amount }, async () => {
      const { outcome } = await this.store.credit({ id, account, amount, reason: "top-up" });
      return { outcome };
    });
  }

  #record(call: LedgerCall, make: () => Awaitable<LedgerAnswer>): Promise<LedgerAnswer> {
    const attempt = async () => {
      try {
        return await make();
      } catch (error) {
        return { error: describe(error) };
      }
    };
    return this.journal.record(call, attempt, (answer) => answer);
  }
}

/** Returns the codes and messages of an error and its causes. The codes show whether it is an outage. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? `${error.code} ` : "";
  const inner = error instanceof AggregateError ? error.errors.map(describe) : [];
  const cause = error.cause === undefined ? [] : [describe(error.cause)];
  return [`${code}${error.message}`, ...inner, ...cause].join("; ");
}
