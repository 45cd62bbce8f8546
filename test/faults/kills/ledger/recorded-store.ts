import type { Awaitable } from "@tollgate/core/internal";
import type { Allowance, BalanceStore, Entry, HoldReceipt, HoldReference, Renewal } from "@tollgate/core/store";
import { chargeReceipt, plainHold } from "../../../../packages/core/test-support/receipts.ts";
import type { Journal } from "../../processes/journal.ts";
import type { LedgerAnswer, LedgerCall, LotOfCredit } from "./calls.ts";

/** The receipt of a recorded hold. Its request id is the id of the hold. */
export const receiptOf = (id: string): HoldReceipt => ({ requestId: id, model: "model-1", dialect: "chat" });

/** The lot of a credit that does not say otherwise. */
export const paid: LotOfCredit = { kind: "paid" };

/** A balance store that records every call. Errors become results. */
export class RecordedStore {
  constructor(
    private readonly store: BalanceStore,
    private readonly journal: Journal<LedgerCall, LedgerAnswer>,
    private readonly leaseMs: number,
  ) {}

  hold(id: string, account: string, amount: bigint, allowance?: Allowance): Promise<LedgerAnswer> {
    const { store, leaseMs } = this;
    return this.#record({ verb: "hold", id, account, amount }, async () => {
      const hold = { id, account, keyId: "key", amount, leaseMs, ...plainHold, receipt: receiptOf(id), allowance };
      const { outcome } = await store.hold(hold);
      return { outcome };
    });
  }

  renew(renewals: readonly Renewal[]): Promise<LedgerAnswer> {
    return this.#record({ verb: "renew", renewals }, async () => ({
      renewed: await this.store.renew(renewals, this.leaseMs),
    }));
  }

  settle({ id, account }: HoldReference, amount: bigint): Promise<LedgerAnswer> {
    const hold = { id, account };
    return this.#record({ verb: "settle", ...hold, amount }, () => this.store.settle(hold, amount, chargeReceipt));
  }

  release({ id, account }: HoldReference): Promise<LedgerAnswer> {
    const hold = { id, account };
    return this.#record({ verb: "release", ...hold }, () => this.store.release(hold));
  }

  expire(): Promise<LedgerAnswer> {
    return this.#record({ verb: "expire" }, async () => ({ outcome: `ended ${await this.store.expire()}` }));
  }

  credit(id: string, account: string, amount: bigint, lot: LotOfCredit = paid): Promise<LedgerAnswer> {
    return this.#record({ verb: "credit", id, account, amount, ...lot }, async () => {
      const { kind, expiresAt } = lot;
      const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) };
      const { outcome } = await this.store.credit({ id, account, amount, reason: "top-up", kind, ...until });
      return { outcome };
    });
  }

  refund(account: string, sequence: bigint, amount: bigint): Promise<LedgerAnswer> {
    return this.#record({ verb: "refund", account, sequence, amount }, async () => {
      const { outcome } = await this.store.refund({ account, sequence, amount, reason: "poor answer" });
      return { outcome };
    });
  }

  /** Returns the entries of a hold, or none while the store is unavailable. A read is not recorded. */
  async entriesOf(account: string, id: string): Promise<readonly Entry[]> {
    try {
      return (await this.store.entries({ account, reference: id, limit: 2 })).entries;
    } catch {
      return [];
    }
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
